/** Puts a text into the clipboard. @returns whether it is there */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

/** Browsers have no clipboard on pages that came by plain http from another machine. */
function copyBySelection(text: string): boolean {
  const field = document.createElement('textarea');
  const before = document.activeElement;
  // What lies outside an open dialog cannot be selected.
  (document.querySelector('dialog[open]') ?? document.body).append(field);
  field.className = 'unseen';
  field.value = text;
  field.select();
  const isCopied = document.execCommand('copy');
  field.remove();
  if (before instanceof HTMLElement) before.focus();
  return isCopied;
}
