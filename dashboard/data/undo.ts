import { signal } from '@preact/signals';

/** A notice about an action, in one line. */
interface Notice {
  readonly id: number;
  readonly text: string;
  /** Whether `Z` undoes it. */
  readonly canUndo: boolean;
  readonly isError: boolean;
  /** Cancels the operation that the notice is about. */
  readonly onCancel?: (() => void) | undefined;
}

/** The current notice; one at a time. */
export const told = signal<Notice | undefined>(undefined);

const most = 20;
const deeds: { readonly id: number; readonly undo: () => Promise<unknown>; readonly undone: string }[] = [];
let count = 0;

/** Shows a notice without undo. */
export function tell(text: string, { isError = false } = {}): void {
  count += 1;
  told.value = { id: count, text, canUndo: false, isError };
}

/** Shows the progress of a long operation, until the next notice. */
export function showProgress(text: string, onCancel: () => void): void {
  count += 1;
  told.value = { id: count, text, canUndo: false, isError: false, onCancel };
}

/** Shows a notice and registers its undo. */
export function did(text: string, undone: string, undo: () => Promise<unknown>): void {
  count += 1;
  deeds.push({ id: count, undo, undone });
  if (deeds.length > most) deeds.shift();
  told.value = { id: count, text, canUndo: true, isError: false };
}

/** Undoes the last action that was not undone. @returns false if there is none */
export async function undoLast(onError: (error: unknown) => void): Promise<boolean> {
  const deed = deeds.pop();
  if (deed === undefined) return false;
  try {
    await deed.undo();
    tell(deed.undone);
  } catch (error) {
    deeds.push(deed);
    onError(error);
  }
  return true;
}

export function stopTelling(id: number): void {
  if (told.peek()?.id === id) told.value = undefined;
}

/** Actions of a previous session cannot be undone in this one. */
export function clearUndo(): void {
  deeds.length = 0;
  told.value = undefined;
}
