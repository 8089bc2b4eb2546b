import { type CodeStyle, dotRadius, isDot, type QrCode, transparent } from './code.ts';
import { channelsOf } from './colours.ts';

const pointsPerMillimetre = 72 / 25.4;

/**
 * Generates a QR code as a one-page vector PDF, for printing at an exact size.
 * @param millimetres side length of the page, including the margin
 */
export function pdfOf(code: QrCode, style: CodeStyle, millimetres: number): Uint8Array<ArrayBuffer> {
  const side = millimetres * pointsPerMillimetre;
  const modules = code.size + 2 * style.margin;
  const colour = (hex: string) =>
    channelsOf(hex)
      .map((channel) => (channel / 255).toFixed(4))
      .join(' ');
  const content = [
    ...(style.background === transparent
      ? []
      : [`${colour(style.background)} rg 0 0 ${side.toFixed(4)} ${side.toFixed(4)} re f`]),
    // After this operator, the unit is a module, and rows are counted from the top.
    `${(side / modules).toFixed(6)} 0 0 ${(-side / modules).toFixed(6)} 0 ${side.toFixed(4)} cm`,
    `${colour(style.color)} rg ${colour(style.color)} RG 1 J ${2 * dotRadius} w`,
    ...modulesOf(code, style),
  ].join('\n');
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 ${side.toFixed(4)} ${side.toFixed(4)}]/Contents 4 0 R/Resources<<>>>>`,
    `<</Length ${content.length}>>\nstream\n${content}\nendstream`,
  ];
  let file = '%PDF-1.4\n';
  const places = objects.map((object, at) => {
    const place = file.length;
    file += `${at + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(place).padStart(10, '0')} 00000 n \n`;
  });
  const table = `xref\n0 5\n0000000000 65535 f \n${places.join('')}`;
  const end = `trailer\n<</Size 5/Root 1 0 R>>\nstartxref\n${file.length}\n%%EOF\n`;
  return new TextEncoder().encode(file + table + end);
}

/**
 * Returns the drawing operators for the modules. A square is filled; a dot is a line of zero length with round caps.
 */
function modulesOf(code: QrCode, style: CodeStyle): string[] {
  return code.rows.flatMap((row, y) =>
    row.flatMap((isDark, x) => {
      if (!isDark) return [];
      const [left, top] = [x + style.margin, y + style.margin];
      if (!isDot(code, style, x, y)) return [`${left} ${top} 1 1 re f`];
      return [`${left + 0.5} ${top + 0.5} m ${left + 0.5} ${top + 0.5} l S`];
    }),
  );
}
