import type { Drawing, Style } from './style.ts';

/** An SVG as an address that a page can show. */
export function addressOf(svg: string): string {
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}

/** @throws when the browser cannot draw it */
async function imageOf(address: string): Promise<HTMLImageElement> {
  const image = new Image();
  image.src = address;
  await image.decode();
  return image;
}

/** Draws a code on pixels: modules of whole pixels, what is left over goes to the margin. */
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

/** Enough for a camera, and soon read. */
const pixelsOfAModule = 8;

/** Whether what was drawn can be read, as a camera would. */
export async function isReadable(drawing: Drawing, style: Style): Promise<boolean> {
  const { default: jsQR } = await import('jsqr');
  const canvas = await canvasOf(drawing, style, drawing.width * pixelsOfAModule);
  const { width, height } = canvas;
  const { data } = canvas.getContext('2d')?.getImageData(0, 0, width, height) ?? { data: undefined };
  // The module is one function, whichever way it is imported.
  const read = jsQR as unknown as typeof jsQR.default;
  return (
    data !== undefined &&
    read(data, width, height, { inversionAttempts: 'dontInvert' })?.data === drawing.text
  );
}

const largestLogoBytes = 1_048_576;

/** Reads a picture that a reader chose. @returns why it cannot be used, or its address */
export async function readLogo(file: File): Promise<{ readonly href: string } | 'large' | 'wrong'> {
  if (file.size > largestLogoBytes) return 'large';
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
