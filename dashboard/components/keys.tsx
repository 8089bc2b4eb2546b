import { isApple } from '../browser/platform.ts';
import { t } from '../texts/texts.ts';

const signs: Readonly<Record<string, string>> = {
  mod: '⌘',
  shift: '⇧',
  enter: '↵',
  escape: 'Esc',
  backspace: '⌫',
  tab: '⇥',
  arrowup: '↑',
  arrowdown: '↓',
  arrowleft: '←',
  arrowright: '→',
};

/** Shows a keyboard shortcut, such as `mod+k`, `g h` or `c`, next to its action. */
export function Keys({ keys }: { readonly keys: string }) {
  return (
    <span class="keys" aria-hidden="true">
      {keys.split(/[+ ]/).map((key) => (
        <kbd key={key}>{nameOf(key)}</kbd>
      ))}
    </span>
  );
}

function nameOf(key: string): string {
  if (key === 'mod' && !isApple) return t.ctrl;
  return signs[key] ?? (key.length === 1 ? key.toUpperCase() : key);
}
