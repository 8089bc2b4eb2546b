/** Tells a reader of the screen something that others see: in the dialog that is open, as all else is silent under it. */
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
