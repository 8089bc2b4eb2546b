/** A key press, with fields from `KeyboardEvent`. */
export interface Press {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
  /** Whether the user is typing text. If so, single letters are not shortcuts. */
  readonly isInText: boolean;
}

/** Handles a key press. Returns false to pass the key press on to the next layer. */
export type Action = () => unknown;
export type Shortcuts = Readonly<Record<string, Action>>;

export interface Layer {
  readonly shortcuts: () => Shortcuts;
  /** Whether the layer blocks key presses for the layers below, as a dialog does. */
  readonly isModal?: boolean;
  /**
   * Whether the shortcuts apply on every screen. If so, the layer has the lowest priority, no matter when it was
   * mounted.
   */
  readonly isEverywhere?: boolean;
}

const sequenceMs = 1_200;

/**
 * Dispatches key presses to the newest layer that handles them. Single-letter shortcuts never work in text fields, and
 * can be turned off. A shortcut such as `g l` is two key presses in sequence.
 */
export function createKeyboard(now: () => number = () => performance.now()) {
  const layers: Layer[] = [];
  let first = '';
  let firstAt = 0;

  return {
    /** Whether single-letter shortcuts work. Shortcuts with Ctrl or ⌘, arrows, Enter and Esc always do. */
    lettersAct: true,

    /** Adds a layer. @returns a function that removes the layer */
    add(layer: Layer): () => void {
      if (layer.isEverywhere) layers.unshift(layer);
      else layers.push(layer);
      return () => {
        const at = layers.indexOf(layer);
        if (at >= 0) layers.splice(at, 1);
      };
    },

    /** Handles a key press. @returns true if the caller must prevent the default action */
    press(press: Press): boolean {
      const name = nameOf(press);
      if (name === undefined) return false;
      if (isCharacter(name) && (press.isInText || !this.lettersAct)) return false;
      // In text fields, handle only combinations and Esc. Arrows, Enter and Backspace are for editing.
      if (press.isInText && !name.startsWith('mod+') && name !== 'escape') return false;
      const sequence = now() - firstAt < sequenceMs && first !== '' ? `${first} ${name}` : undefined;
      first = '';
      for (const layer of layers.toReversed()) {
        const shortcuts = layer.shortcuts();
        for (const tried of sequence === undefined ? [name] : [sequence, name]) {
          if (Object.hasOwn(shortcuts, tried) && shortcuts[tried]?.() !== false) return true;
        }
        const begins = Object.keys(shortcuts).some((known) => known.startsWith(`${name} `));
        if (begins) {
          first = name;
          firstAt = now();
          return true;
        }
        if (layer.isModal) return false;
      }
      return false;
    },
  };
}

function isCharacter(name: string): boolean {
  return name.length === 1;
}

/**
 * Returns the name of a key press: `c`, `/`, `?`, `enter`, `shift+arrowdown`, `mod+k`. Returns undefined for a modifier
 * alone, and for key presses that the browser or the operating system handles.
 */
export function nameOf({ key, ctrlKey, metaKey, altKey, shiftKey }: Press): string | undefined {
  if (['Control', 'Meta', 'Alt', 'Shift', 'AltGraph', 'CapsLock', 'Dead'].includes(key)) return undefined;
  const isMod = ctrlKey || metaKey;
  // Ignore key presses with Alt, except symbols typed with AltGr. Many keyboards report AltGr as Ctrl and Alt.
  if (altKey && !(isMod && key.length === 1 && !/[a-z]/i.test(key))) return undefined;
  const plain = key.toLowerCase();
  if (isMod && !altKey) return `mod+${shiftKey ? 'shift+' : ''}${plain}`;
  // Ignore Shift for symbols, because typing `?` needs Shift. Return capital letters as `shift+` and the lower-case
  // letter.
  if (plain.length === 1) return shiftKey && /[a-z]/.test(plain) ? `shift+${plain}` : plain;
  return shiftKey ? `shift+${plain}` : plain;
}

const textInputs = new Set([
  'text',
  'search',
  'url',
  'email',
  'password',
  'number',
  'date',
  'datetime-local',
  'time',
]);

/** Returns true if the target is a field that accepts typed text. */
export function isTextField(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (
    target.isContentEditable ||
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement
  )
    return true;
  return target instanceof HTMLInputElement && textInputs.has(target.type);
}
