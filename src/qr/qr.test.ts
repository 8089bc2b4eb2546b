import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inflateSync } from 'node:zlib';
import jsQR from 'jsqr';
import { createRandom } from '../../test/support/random/random.ts';
import { readCampaign, triggers } from '../clicks/dimensions/campaigns.ts';
import { borderlessSize, createCode, defaultStyle, dotRadius, levels, minPixels, scanUrl } from './code.ts';
import { colourProblem, contrastOf, ratioText, readColour } from './colours.ts';
import { pdfOf } from './pdf.ts';
import { pngOf } from './png.ts';
import { maxLogoShare, svgOf } from './svg.ts';
import { terminalLines } from './terminal.ts';

const decode = jsQR as unknown as typeof jsQR.default;
const url = scanUrl('https://go.example.com/spring-launch');

/** Decodes a square image as a camera would. @param isDark returns whether a pixel is dark */
function read(size: number, isDark: (x: number, y: number) => boolean): string | undefined {
  const pixels = new Uint8ClampedArray(size * size * 4).fill(255);
  for (let at = 0; at < size * size; at += 1)
    if (isDark(at % size, Math.floor(at / size))) pixels.fill(0, at * 4, at * 4 + 3);
  return decode(pixels, size, size, { inversionAttempts: 'dontInvert' })?.data;
}

/** Reads a PNG with one bit per pixel whose rows are unfiltered or equal to the row above. */
function pixelsOf(png: Buffer): { size: number; palette: Buffer; isDark: (x: number, y: number) => boolean } {
  const parts = new Map<string, Buffer>();
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at);
    parts.set(png.toString('latin1', at + 4, at + 8), png.subarray(at + 8, at + 8 + length));
    at += 12 + length;
  }
  const size = parts.get('IHDR')?.readUInt32BE(0) ?? 0;
  const bytes = inflateSync(parts.get('IDAT') ?? Buffer.alloc(0));
  const rowBytes = Math.ceil(size / 8);
  assert.equal(bytes.length, size * (rowBytes + 1));
  const rows: Buffer[] = [];
  for (let y = 0; y < size; y += 1) {
    const row = Buffer.from(bytes.subarray(y * (rowBytes + 1) + 1, (y + 1) * (rowBytes + 1)));
    const filter = bytes[y * (rowBytes + 1)];
    if (filter === 2) for (const [x, byte] of (rows[y - 1] ?? []).entries()) row[x] = (row[x] ?? 0) + byte;
    rows.push(row);
  }
  return {
    size,
    palette: parts.get('PLTE') ?? Buffer.alloc(0),
    isDark: (x, y) => ((rows[y]?.[x >> 3] ?? 0) & (0x80 >> (x & 7))) !== 0,
  };
}

/** Rasterizes an SVG's paths at `scale` pixels per unit. */
function rasterOf(svg: string, scale: number): { size: number; dark: Set<number> } {
  const size = Number(/viewBox="0 0 (\d+)/.exec(svg)?.[1]) * scale;
  const dark = new Set<number>();
  for (const [, x, y, width] of svg.matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g)) {
    for (let dy = 0; dy < scale; dy += 1)
      for (let dx = 0; dx < Number(width) * scale; dx += 1)
        dark.add((Number(y) * scale + dy) * size + Number(x) * scale + dx);
  }
  return { size, dark };
}

test('marks a scan: the redirect reads the parameter in the code', () => {
  assert.equal(triggers[readCampaign(new URL(url).search.slice(1)).trigger], 'qr');
});

test('encodes a readable PNG of any size and level', async () => {
  for (const level of levels) {
    const code = createCode(url, level);
    const least = minPixels(code, defaultStyle.margin);
    for (const [size, margin] of [
      [3 * least, 4],
      [1000, 4],
      [1024, 1],
      [333, 2],
    ] as const) {
      const png = pixelsOf(await pngOf(code, { ...defaultStyle, margin }, size));
      assert.equal(png.size, size);
      assert.equal(read(size, png.isDark), url, `${level} ${size} ${margin}`);
    }
  }
  for (const wanted of [1, 64, 200, 4096]) {
    const code = createCode(url, 'M');
    const size = borderlessSize(code, wanted);
    const { isDark, size: drawn } = pixelsOf(await pngOf(code, { ...defaultStyle, margin: 0 }, size));
    assert.deepEqual([drawn, size % code.size, size <= 4096], [size, 0, true]);
    // Finder patterns cover three corners, up to the last pixel.
    assert.ok(isDark(0, 0) && isDark(size - 1, 0) && isDark(0, size - 1), `${size} pixels`);
  }
  const largest = await pngOf(createCode(url, 'M'), { ...defaultStyle, margin: 0, color: '#1f4d41' }, 4096);
  assert.ok(largest.length < 20_000, `${largest.length} bytes`);
  const { palette, isDark } = pixelsOf(largest);
  assert.deepEqual([...palette], [255, 255, 255, 0x1f, 0x4d, 0x41]);
  // Without a margin, the finder pattern starts right after the leftover pixels, which are too few for another module.
  assert.ok(isDark(100, 100) && !isDark(4095, 4095));
});

test('draws the same modules as SVG, readable with a logo in the center', () => {
  for (const level of levels) {
    const { size, dark } = rasterOf(svgOf(createCode(url, level), { ...defaultStyle, size: 500 }), 4);
    assert.equal(
      read(size, (x, y) => dark.has(y * size + x)),
      url,
      level,
    );
  }
  const code = createCode(url, 'H');
  const logo = { href: 'data:image/png;base64,"><script>', share: 1 };
  const svg = svgOf(code, { ...defaultStyle, size: 500, logo, caption: 'a<b&c' });
  assert.ok(!svg.includes('<script>') && svg.includes('a&#60;b&#38;c'));
  const { size, dark } = rasterOf(svg, 4);
  const [, at, side] = /<image .* x="([\d.]+)" y="[\d.]+" width="(\d+)"/.exec(svg)?.map(Number) ?? [];
  assert.ok(side !== undefined && at !== undefined && side <= code.size * maxLogoShare);
  const isLogo = (x: number, y: number): boolean =>
    [x, y].every((one) => one >= at * 4 && one < (at + side) * 4);
  assert.equal(
    read(size, (x, y) => isLogo(x, y) || dark.has(y * size + x)),
    url,
  );
});

test('draws readable dots, frames, millimeters and PDF', async () => {
  const dots = { ...defaultStyle, shape: 'dots' } as const;
  for (const level of levels) {
    const code = createCode(url, level);
    for (const size of [300, 472, 700, 1024])
      for (const text of [
        url,
        'http://127.0.0.1:36361/poster?trigger=qr',
        'https://go.example.com/a?trigger=qr',
      ]) {
        const png = pixelsOf(await pngOf(createCode(text, level), dots, size));
        assert.equal(read(size, png.isDark), text, `PNG, ${level}, ${size} pixels`);
      }
    const scale = 8;
    for (const [style, drawn] of [
      [dots, svgOf(code, { ...dots, size: 40, unit: 'mm', hasFrame: true })],
      [defaultStyle, svgOf(code, { ...defaultStyle, size: 40, unit: 'mm', hasFrame: true })],
      [dots, new TextDecoder().decode(pdfOf(code, dots, 40))],
      [defaultStyle, new TextDecoder().decode(pdfOf(code, defaultStyle, 40))],
    ] as const) {
      const isSvg = drawn.startsWith('<svg');
      const modules = code.size + 2 * (style.margin + (isSvg ? 2 : 0));
      const side = modules * scale;
      const dark = new Set<number>();
      const fill = (x: number, y: number, width: number, isRound: boolean) => {
        for (let dy = 0; dy < scale; dy += 1)
          for (let dx = 0; dx < width * scale; dx += 1)
            if (!isRound || Math.hypot(dx + 0.5 - scale / 2, dy + 0.5 - scale / 2) <= scale * dotRadius)
              dark.add((y * scale + dy) * side + x * scale + dx);
      };
      for (const [, x, y, width] of drawn.matchAll(
        isSvg ? /M(\d+) (\d+)h(\d+)v1h-\d+z/g : /^(\d+) (\d+) (1) 1 re f$/gm,
      ))
        fill(Number(x), Number(y), Number(width), false);
      for (const [, x, y] of drawn.matchAll(
        isSvg
          ? new RegExp(`M([\\d.]+) ([\\d.]+)a${dotRadius}`, 'g')
          : /^[\d.]+ [\d.]+ m ([\d.]+) ([\d.]+) l S$/gm,
      ))
        fill(Math.round(Number(x) - 0.45 * Number(!isSvg)), Math.floor(Number(y)), 1, true);
      if (isSvg) {
        assert.match(drawn, /width="40mm" height="40mm"/);
        for (let at = 0; at < side; at += 1)
          for (const line of [0, modules - 1]) {
            for (let part = 0; part < scale; part += 1) {
              dark.add((line * scale + part) * side + at);
              dark.add(at * side + line * scale + part);
            }
          }
      } else assert.match(drawn, /MediaBox\[0 0 113\.3858 113\.3858\]/);
      assert.equal(
        read(side, (x, y) => dark.has(y * side + x)),
        url,
        `${isSvg ? 'SVG' : 'PDF'}, ${style === dots ? 'dots' : 'squares'}, ${level}`,
      );
    }
  }
});

test('draws black on white in a terminal, with modules as half blocks', () => {
  const code = createCode(url, 'M');
  const plain = terminalLines(code, false);
  const dark = new Set<string>();
  for (const [y, line] of plain.entries())
    for (const [x, block] of [...line].entries()) {
      if ('▀█'.includes(block)) dark.add(`${x},${2 * y}`);
      if ('▄█'.includes(block)) dark.add(`${x},${2 * y + 1}`);
    }
  const size = (code.size + 8) * 4;
  assert.equal(
    read(size, (x, y) => dark.has(`${x >> 2},${y >> 2}`)),
    url,
  );
  for (const [at, line] of terminalLines(code, true).entries())
    assert.equal(line, `\u001b[38;5;16;48;5;231m${plain[at]}\u001b[0m`);
});

test('colors: parses hexadecimal values and rejects low contrast', () => {
  assert.deepEqual(['#FFF', '1f4D41', '#12345', 'red', ''].map(readColour), [
    '#ffffff',
    '#1f4d41',
    undefined,
    undefined,
    undefined,
  ]);
  assert.equal(contrastOf('#000000', '#ffffff'), 21);
  assert.equal(ratioText(contrastOf('#767676', '#ffffff')), '4.5 : 1');
  assert.equal(colourProblem('#949494', '#ffffff'), undefined);
  assert.deepEqual(colourProblem('#999999', '#ffffff')?.kind, 'low_contrast');
  assert.deepEqual(colourProblem('#ffffff', '#000000')?.kind, 'light_on_dark');
});

test('stays readable with the largest logo, for codes of any length', () => {
  const random = createRandom(22);
  const seen = new Set<number>();
  for (let length = 20; length < 520; length += 20) {
    const text = scanUrl(`https://${'a-long.example/'.repeat(40)}`.slice(0, length));
    const code = createCode(text, 'H');
    seen.add(code.size);
    const svg = svgOf(code, { ...defaultStyle, size: 500, logo: { href: 'data:,', share: maxLogoShare } });
    const { size, dark } = rasterOf(svg, 4);
    const side = code.size * maxLogoShare;
    const isLogo = (one: number): boolean => Math.abs(one / 4 - size / 8) < side / 2;
    const blot = new Map<number, boolean>();
    const isInk = (x: number, y: number): boolean => {
      const at = (y >> 2) * size + (x >> 2);
      if (!blot.has(at)) blot.set(at, random.chance(0.5));
      return blot.get(at) ?? false;
    };
    const seenBy = read(size, (x, y) => (isLogo(x) && isLogo(y) ? isInk(x, y) : dark.has(y * size + x)));
    assert.equal(seenBy, text, `${length} characters`);
  }
  assert.ok(seen.size > 15, `${seen.size} sizes of codes`);
});
