import { effect, signal } from '@preact/signals';

/** How this browser shows the dashboard. Nothing secret, nothing that a list depends on. */
export interface Preferences {
  readonly theme: 'system' | 'light' | 'dark';
  readonly density: 'comfortable' | 'compact';
  /** Null for the language of the browser. */
  readonly language: 'en' | 'de' | null;
  /** Whether single letters are shortcuts. */
  readonly letters: boolean;
  readonly hiddenColumns: readonly string[];
}

const place = 'linkfold.preferences';
const usual: Preferences = {
  theme: 'system',
  density: 'comfortable',
  language: null,
  letters: true,
  hiddenColumns: [],
};

export const preferences = signal<Preferences>(read());

function read(): Preferences {
  try {
    return { ...usual, ...JSON.parse(localStorage.getItem(place) ?? '{}') };
  } catch {
    return usual; // storage is off, or holds what another version wrote
  }
}

export function prefer(changes: Partial<Preferences>): void {
  preferences.value = { ...preferences.peek(), ...changes };
  try {
    localStorage.setItem(place, JSON.stringify(preferences.peek()));
  } catch {
    // Then they last as long as the page.
  }
}

/** Keeps the page as it is preferred. */
export function applyPreferences(onLetters: (act: boolean) => void): void {
  effect(() => {
    const { theme, density, letters } = preferences.value;
    const { dataset } = document.documentElement;
    if (theme === 'system') delete dataset['theme'];
    else dataset['theme'] = theme;
    dataset['density'] = density;
    onLetters(letters);
  });
}
