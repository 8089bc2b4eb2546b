import { saveFile } from '../browser/save-file.ts';
import type { Link } from '../data/links/links.ts';
import { pngOf } from './images.ts';
import { draw, isDrawable, lastStyle, pixelsOf } from './style.ts';
import { type ZipFile, zipOf } from './zip.ts';

/** Saves the QR codes of several links as a ZIP archive, with an SVG and a PNG per link. */
export async function saveCodes(
  links: readonly Pick<Link, 'shortCode' | 'shortUrl'>[],
  style = lastStyle(),
): Promise<void> {
  const pixels = isDrawable(pixelsOf(style)) ? pixelsOf(style) : 1024;
  const files: ZipFile[] = [];
  for (const link of links) {
    const drawing = draw(link.shortUrl, style, pixels);
    const png = await pngOf(drawing, style, pixels);
    files.push(
      { name: `${link.shortCode}.svg`, bytes: new TextEncoder().encode(drawing.svg) },
      { name: `${link.shortCode}.png`, bytes: new Uint8Array(await png.arrayBuffer()) },
    );
  }
  saveFile('linkfold-qr.zip', 'application/zip', zipOf(files, new Date()));
}
