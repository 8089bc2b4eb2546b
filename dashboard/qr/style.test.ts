import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crc32 } from 'node:zlib';
import { contrastIn, defaultStyle, draw, isDrawable, keepStyle, lastStyle, pixelsOf } from './style.ts';
import { zipOf } from './zip.ts';

const shortUrl = 'https://go.example.com/spring';
const logo = { href: 'data:image/png;base64,AA==', name: 'mark.png' };

test('converts a print size to pixels and rejects sizes that no PNG can have', () => {
  assert.equal(pixelsOf(defaultStyle), 472);
  assert.equal(pixelsOf({ ...defaultStyle, isForPrint: false, pixels: 333 }), 333);
  assert.deepEqual([63, 64, 4096, 4097].map(isDrawable), [false, true, true, false]);
});

test('uses the highest error correction with a logo, which covers the center', () => {
  const plain = draw(shortUrl, defaultStyle, 500);
  const covered = draw(shortUrl, { ...defaultStyle, logo, hasCaption: true }, 500);
  assert.ok(covered.code.size > plain.code.size);
  assert.ok(covered.svg.includes('<image href="data:image/png;base64,AA=="'));
  assert.ok(covered.svg.includes('>go.example.com/spring</text>'));
  assert.equal(plain.width, plain.code.size + 8);
  assert.deepEqual([plain.height - plain.width, covered.height - covered.width], [0, 6]);
});

test('reports colours with too little contrast and their ratio', () => {
  assert.deepEqual(contrastIn(defaultStyle), { ratio: '17.1 : 1', problem: undefined });
  assert.deepEqual(contrastIn({ ...defaultStyle, color: '#a0a0a0' }), {
    ratio: '2.6 : 1',
    problem: 'low_contrast',
  });
  assert.equal(
    contrastIn({ ...defaultStyle, color: '#ffffff', background: '#000000' }).problem,
    'light_on_dark',
  );
});

test('saves the last style without its logo and ignores styles of other versions', () => {
  const stored = new Map<string, string>();
  const storage = {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, value: string) => void stored.set(name, value),
  };
  assert.deepEqual(lastStyle(storage), defaultStyle);
  const style = { ...defaultStyle, color: '#1f4d41', margin: 2, logo };
  keepStyle(style, storage);
  assert.deepEqual(lastStyle(storage), { ...style, logo: undefined });
  for (const odd of [
    '{',
    'null',
    '{"color":"red"}',
    '{"margin":"wide"}',
    '{"background":"url(x)"}',
    '{"color":"#a0a0a0"}',
  ]) {
    stored.set('linkfold.qr', odd);
    assert.deepEqual(lastStyle(storage), defaultStyle, odd);
  }
});

test('writes an archive whose directory and checksums match its files', async () => {
  const files = [
    { name: 'a.svg', bytes: new TextEncoder().encode('<svg/>') },
    { name: 'ü.png', bytes: Uint8Array.from({ length: 70_000 }, (_, at) => at % 251) },
  ];
  const blob = zipOf(files, new Date(2026, 10, 22, 14, 31, 8));
  const bytes = Buffer.from(await blob.arrayBuffer());
  const end = bytes.length - 22;
  assert.equal(bytes.readUInt32LE(end), 0x06054b50);
  assert.equal(bytes.readUInt16LE(end + 10), 2);
  let at = bytes.readUInt32LE(end + 16);
  assert.equal(at + bytes.readUInt32LE(end + 12), end);
  for (const { name, bytes: content } of files) {
    assert.equal(bytes.readUInt32LE(at), 0x02014b50);
    const length = bytes.readUInt16LE(at + 28);
    assert.equal(bytes.toString('utf8', at + 46, at + 46 + length), name);
    assert.equal(bytes.readUInt32LE(at + 16), crc32(content));
    const start = bytes.readUInt32LE(at + 42);
    assert.equal(bytes.readUInt32LE(start), 0x04034b50);
    assert.deepEqual(
      bytes.subarray(start + 4, start + 30),
      bytes.subarray(at + 6, at + 32),
      'both say the same',
    );
    assert.deepEqual(
      [...bytes.subarray(start + 30 + length, start + 30 + length + content.length)],
      [...content],
    );
    at += 46 + length;
  }
});
