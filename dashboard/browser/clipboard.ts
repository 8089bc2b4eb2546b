/** Copies a string to the clipboard. @returns true on success */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

/**
 * Copies with a hidden text area, because browsers have no clipboard API on pages loaded over plain HTTP from another
 * machine.
 */
function copyBySelection(text: string): boolean {
  const field = document.createElement('textarea');
  const before = document.activeElement;
  // Append the text area to the open dialog, if any, because content outside the dialog cannot be selected.
  (document.querySelector('dialog[open]') ?? document.body).append(field);
  field.className = 'unseen';
  field.value = text;
  field.select();
  const isCopied = document.execCommand('copy');
  field.remove();
  if (before instanceof HTMLElement) before.focus();
  return isCopied;
}
