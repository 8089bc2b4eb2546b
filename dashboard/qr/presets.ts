import { signal } from '@preact/signals';
import { keepAccountText, readAccountText } from '../data/account-texts.ts';
import { readStyle, type Style } from './style.ts';

/** A named style, stored by the account: the same for all members and devices. Logos are not stored. */
export interface Preset {
  readonly name: string;
  readonly style: Style;
}

const stored = 'qrPresets';
export const maxPresets = 20;

/** The account's presets; undefined until they are loaded. */
export const presets = signal<readonly Preset[] | undefined>(undefined);

/** Parses presets; invalid entries by other clients are skipped. */
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

/** Saves a preset, replacing one with the same name, and keeps presets that others have saved meanwhile. */
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

/** Returns true if two styles look the same; a logo is not part of a preset. */
export function isSameStyle(one: Style, other: Style): boolean {
  return (Object.keys(other) as (keyof Style)[]).every(
    (field) => field === 'logo' || one[field] === other[field],
  );
}
