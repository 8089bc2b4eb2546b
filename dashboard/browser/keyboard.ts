/** What a key press is called: `c`, `/`, `?`, `enter`, `shift+arrowdown`, `mod+k`. */
export interface Press {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
  /** Whether the reader is typing a text, where letters are letters. */
  readonly isInText: boolean;
}

/** Runs for a press. False says that it is not for it, and the next layer is asked. */
export type Action = () => unknown;
export type Shortcuts = Readonly<Record<string, Action>>;

export interface Layer {
  readonly shortcuts: () => Shortcuts;
  /** A dialog: what lies under it hears nothing. */
  readonly isModal?: boolean;
  /** What holds on every screen: asked last, also where it came together with the screen. */
  readonly isEverywhere?: boolean;
}

const sequenceMs = 1_200;

/**
 * Hears every key press and finds the newest layer that has a use for it. Single letters never act in a text, and can be
 * switched off; `g l` is two presses, one after the other.
 */
export function createKeyboard(now: () => number = () => performance.now()) {
  const layers: Layer[] = [];
  let first = '';
  let firstAt = 0;

  return {
    /** Whether single letters act. Those with Ctrl or ⌘, arrows, Enter and Esc always do. */
    lettersAct: true,

    /** @returns what takes the layer away again */
    add(layer: Layer): () => void {
      if (layer.isEverywhere) layers.unshift(layer);
      else layers.push(layer);
      return () => {
        const at = layers.indexOf(layer);
        if (at >= 0) layers.splice(at, 1);
      };
    },

    /** @returns whether the press was used, and must do nothing else */
    press(press: Press): boolean {
      const name = nameOf(press);
      if (name === undefined) return false;
      if (isCharacter(name) && (press.isInText || !this.lettersAct)) return false;
      // In a text only combinations and Esc are ours: arrows, Enter and Backspace belong to it.
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

/** Undefined for a modifier alone and for what the browser or another program uses. */
export function nameOf({ key, ctrlKey, metaKey, altKey, shiftKey }: Press): string | undefined {
  if (['Control', 'Meta', 'Alt', 'Shift', 'AltGraph', 'CapsLock', 'Dead'].includes(key)) return undefined;
  const isMod = ctrlKey || metaKey;
  // AltGr types characters on many keyboards, and reports Ctrl and Alt.
  if (altKey && !(isMod && key.length === 1 && !/[a-z]/i.test(key))) return undefined;
  const plain = key.toLowerCase();
  if (isMod && !altKey) return `mod+${shiftKey ? 'shift+' : ''}${plain}`;
  // Shift is part of `?`; a capital letter is the letter.
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

/** Whether letters pressed here belong to a text. */
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
