import { isApple } from '../app/platform.ts';

const signs: Readonly<Record<string, string>> = {
  mod: isApple ? '⌘' : 'Ctrl',
  shift: '⇧',
  enter: '↵',
  escape: 'Esc',
  backspace: '⌫',
  tab: '⇥',
  arrowup: '↑',
  arrowdown: '↓',
};

/** A shortcut as it is printed beside what it does: `mod+k`, `g h`, `c`. */
export function Keys({ keys }: { readonly keys: string }) {
  return (
    <span class="keys" aria-hidden="true">
      {keys.split(/[+ ]/).map((key) => (
        <kbd key={key}>{signs[key] ?? (key.length === 1 ? key.toUpperCase() : key)}</kbd>
      ))}
    </span>
  );
}
