/**
 * Announces a message to screen readers. If a dialog is open, the live region is inside the dialog, because the rest of
 * the page is inert.
 */
export function announce(text: string): void {
  const place = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document.body;
  let region = place.querySelector(':scope > .said');
  if (region === null) {
    region = document.createElement('p');
    region.className = 'said unseen';
    region.setAttribute('role', 'status');
    place.append(region);
  }
  region.textContent = text;
}
