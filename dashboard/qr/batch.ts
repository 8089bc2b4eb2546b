import { saveFile } from '../browser/save-file.ts';
import type { Link } from '../data/links.ts';
import { isReadable, pngOf } from './pictures.ts';
import { contrastIn, draw, isDrawable, lastStyle, pixelsOf } from './style.ts';
import { type ZipFile, zipOf } from './zip.ts';

/**
 * Saves the codes of several links, in the look that was chosen last: an SVG and a PNG of each, as one archive.
 * @returns links whose codes could not be read back; they are not in it
 */
export async function saveCodes(links: readonly Link[]): Promise<Link[]> {
  const style = lastStyle();
  const pixels = isDrawable(pixelsOf(style)) ? pixelsOf(style) : 1024;
  const files: ZipFile[] = [];
  const unreadable: Link[] = [];
  for (const link of links) {
    const drawing = draw(link.shortUrl, style, pixels);
    if (contrastIn(style).problem !== undefined || !(await isReadable(drawing, style))) {
      unreadable.push(link);
      continue;
    }
    const png = await pngOf(drawing, style, pixels);
    files.push(
      { name: `${link.shortCode}.svg`, bytes: new TextEncoder().encode(drawing.svg) },
      { name: `${link.shortCode}.png`, bytes: new Uint8Array(await png.arrayBuffer()) },
    );
  }
  if (files.length > 0) saveFile('linkfold-qr.zip', 'application/zip', zipOf(files, new Date()));
  return unreadable;
}
