import { signal } from '@preact/signals';

/** One-line notice about an action. */
interface Notice {
  readonly id: number;
  readonly text: string;
  /** Whether `Z` undoes the action. */
  readonly canUndo: boolean;
  readonly isError: boolean;
  /** Cancels the operation that the notice is about. */
  readonly onCancel?: (() => void) | undefined;
}

/** The current notice. Only one is shown at a time. */
export const currentNotice = signal<Notice | undefined>(undefined);

const maxUndo = 20;
const undoable: { readonly id: number; readonly undo: () => Promise<unknown>; readonly undone: string }[] =
  [];
let count = 0;

/** Shows a notice without undo. */
export function notify(text: string, { isError = false } = {}): void {
  count += 1;
  currentNotice.value = { id: count, text, canUndo: false, isError };
}

/** Shows a long operation's progress until the next notice replaces it. */
export function showProgress(text: string, onCancel: () => void): void {
  count += 1;
  currentNotice.value = { id: count, text, canUndo: false, isError: false, onCancel };
}

/** Shows a notice and registers the function that undoes the action. */
export function notifyWithUndo(text: string, undone: string, undo: () => Promise<unknown>): void {
  count += 1;
  undoable.push({ id: count, undo, undone });
  if (undoable.length > maxUndo) undoable.shift();
  currentNotice.value = { id: count, text, canUndo: true, isError: false };
}

/** Undoes the last action that has not been undone yet. @returns false if there is no such action */
export async function undoLast(onError: (error: unknown) => void): Promise<boolean> {
  const action = undoable.pop();
  if (action === undefined) return false;
  try {
    await action.undo();
    notify(action.undone);
  } catch (error) {
    undoable.push(action);
    onError(error);
  }
  return true;
}

export function dismissNotice(id: number): void {
  if (currentNotice.peek()?.id === id) currentNotice.value = undefined;
}

/** Clears the undo history, because a new session cannot undo the previous session's actions. */
export function clearUndo(): void {
  undoable.length = 0;
  currentNotice.value = undefined;
}
