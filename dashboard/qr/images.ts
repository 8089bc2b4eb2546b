import type { Drawing, Style } from './style.ts';

/** Returns an SVG as a data URL. */
export function addressOf(svg: string): string {
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}

/** Loads and decodes an image. @throws if the browser cannot decode the image */
async function imageOf(address: string): Promise<HTMLImageElement> {
  const image = new Image();
  image.src = address;
  await image.decode();
  return image;
}

/** Draws a QR code with an integer number of pixels per module. Remaining pixels are added to the margin. */
async function canvasOf(
  { svg, width, height }: Drawing,
  style: Style,
  pixels: number,
): Promise<HTMLCanvasElement> {
  const scale = Math.max(1, Math.floor(pixels / width));
  const canvas = document.createElement('canvas');
  canvas.width = pixels;
  canvas.height = Math.max(pixels, Math.round((pixels * height) / width));
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('This browser draws nothing.');
  context.fillStyle = style.background;
  context.fillRect(0, 0, canvas.width, canvas.height);
  const image = await imageOf(addressOf(svg));
  const left = Math.floor((pixels - width * scale) / 2);
  context.drawImage(image, left, left, width * scale, height * scale);
  return canvas;
}

export async function pngOf(drawing: Drawing, style: Style, pixels: number): Promise<Blob> {
  const canvas = await canvasOf(drawing, style, pixels);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) =>
      blob === null ? reject(new Error('This browser makes no PNG.')) : resolve(blob),
    );
  });
}

const maxLogoBytes = 1_048_576;

/**
 * Reads an image file. @returns a data URL, `large` if the file is too large, or `wrong` if the format is not supported
 */
export async function readLogo(file: File): Promise<{ readonly href: string } | 'large' | 'wrong'> {
  if (file.size > maxLogoBytes) return 'large';
  try {
    const href = await new Promise<string>((resolve, reject) => {
      const reader = new FileReader();
      reader.onload = () => resolve(String(reader.result));
      reader.onerror = () => reject(reader.error);
      reader.readAsDataURL(file);
    });
    await imageOf(href);
    return { href };
  } catch {
    return 'wrong';
  }
}

/** Maximum length of a data URL that the server accepts. */
const maxLogoLength = 43_700;

/**
 * Scales an image to the size needed on a high-resolution screen.
 * @returns undefined if the image cannot be read or made small enough
 */
export async function smallLogo(file: File): Promise<string | undefined> {
  const read = await readLogo(file);
  if (typeof read === 'string') return undefined;
  const image = await imageOf(read.href);
  const { naturalWidth: width, naturalHeight: height } = image;
  for (const most of [112, 80, 56]) {
    const scale = Math.min(1, most / height, (4 * most) / width);
    const canvas = document.createElement('canvas');
    canvas.width = Math.max(1, Math.round(width * scale));
    canvas.height = Math.max(1, Math.round(height * scale));
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
    for (const type of ['image/png', 'image/webp']) {
      const address = canvas.toDataURL(type);
      if (address.length <= maxLogoLength) return address;
    }
  }
  return undefined;
}
