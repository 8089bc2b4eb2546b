/**
 * Announces a text to screen readers. The live region is inside the open dialog, if any: everything behind it is
 * inert.
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
