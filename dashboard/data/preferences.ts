import { effect, signal } from '@preact/signals';

/** Display preferences for this browser. They contain no secrets and do not affect which links a list shows. */
export interface Preferences {
  readonly theme: 'system' | 'light' | 'dark';
  readonly density: 'comfortable' | 'compact';
  /** Null means the browser's language. */
  readonly language: 'en' | 'de' | null;
  /** Whether single-letter shortcuts are enabled. */
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
    return usual; // storage is disabled, or contains data written by another version
  }
}

export function prefer(changes: Partial<Preferences>): void {
  preferences.value = { ...preferences.peek(), ...changes };
  try {
    localStorage.setItem(place, JSON.stringify(preferences.peek()));
  } catch {
    // If storage is disabled, the preferences last until the page is closed.
  }
}

/** Applies the preferences to the page. */
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
