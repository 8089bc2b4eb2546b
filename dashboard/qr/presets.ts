import { signal } from '@preact/signals';
import { keepAccountText, readAccountText } from '../data/account-texts.ts';
import { readStyle, type Style } from './style.ts';

/** Named style, stored in the account for all members and devices. Does not include the logo. */
export interface Preset {
  readonly name: string;
  readonly style: Style;
}

const stored = 'qrPresets';
export const maxPresets = 20;

/** The account's presets. Undefined until they are loaded. */
export const presets = signal<readonly Preset[] | undefined>(undefined);

/** Parses stored presets. Skips invalid entries that other clients may have stored. */
export function readPresets(text: string | undefined): readonly Preset[] {
  try {
    const read: unknown = JSON.parse(text ?? '[]');
    return (Array.isArray(read) ? read : [])
      .slice(0, maxPresets)
      .flatMap(({ name, style }: Partial<Preset>) => {
        const sound = readStyle(style);
        return typeof name === 'string' && sound !== undefined ? [{ name, style: sound }] : [];
      });
  } catch {
    return [];
  }
}

export async function loadPresets(): Promise<void> {
  presets.value = readPresets(await readAccountText(stored));
}

/**
 * Saves a preset, replacing a preset with the same name. Reloads the presets first, to keep presets that other members
 * have saved since they were loaded.
 */
export function savePreset(preset: Preset): Promise<void> {
  return write((others) => [...others, preset], preset.name);
}

export function deletePreset(name: string): Promise<void> {
  return write((others) => others, name);
}

async function write(change: (others: readonly Preset[]) => readonly Preset[], name: string): Promise<void> {
  const others = readPresets(await readAccountText(stored)).filter((one) => one.name !== name);
  const next = change(others);
  await keepAccountText(stored, JSON.stringify(next));
  presets.value = next;
}

/** Returns true if two styles look the same, except for the logo. Presets do not include the logo. */
export function isSameStyle(one: Style, other: Style): boolean {
  return (Object.keys(other) as (keyof Style)[]).every(
    (field) => field === 'logo' || one[field] === other[field],
  );
}
