import { signal } from '@preact/signals';

/** Something that happened, told in one line. */
interface Notice {
  readonly id: number;
  readonly text: string;
  /** Whether `Z` takes it back. */
  readonly canUndo: boolean;
  readonly isError: boolean;
  /** Ends the work that the notice is about. */
  readonly onCancel?: (() => void) | undefined;
}

/** What is told now; one at a time. */
export const told = signal<Notice | undefined>(undefined);

const most = 20;
const deeds: { readonly id: number; readonly undo: () => Promise<unknown>; readonly undone: string }[] = [];
let count = 0;

/** Tells what happened, without a way back. */
export function tell(text: string, { isError = false } = {}): void {
  count += 1;
  told.value = { id: count, text, canUndo: false, isError };
}

/** Shows how far long work is, until the next notice. */
export function showProgress(text: string, onCancel: () => void): void {
  count += 1;
  told.value = { id: count, text, canUndo: false, isError: false, onCancel };
}

/** Tells what was done, and keeps how it is undone. */
export function did(text: string, undone: string, undo: () => Promise<unknown>): void {
  count += 1;
  deeds.push({ id: count, undo, undone });
  if (deeds.length > most) deeds.shift();
  told.value = { id: count, text, canUndo: true, isError: false };
}

/** Undoes the last deed that was not undone. @returns false when there is none */
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

/** Nothing of another session is undone in this one. */
export function clearUndo(): void {
  deeds.length = 0;
  told.value = undefined;
}
