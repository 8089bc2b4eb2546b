import type { Json } from './schemas.ts';

/** Serializes the document, each short value on one line, so that diffs are readable. */
export function documentText(document: Json): string {
  return `${lines(document, '')}\n`;
}

const width = 240;

function lines(value: unknown, indent: string): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const isList = Array.isArray(value);
  const inner = `${indent} `;
  const parts = Object.entries(value)
    .filter(([, part]) => part !== undefined)
    .map(([name, part]) => (isList ? '' : `${JSON.stringify(name)}: `) + lines(part, inner));
  const [open, close] = isList ? ['[', ']'] : ['{', '}'];
  const gap = isList || parts.length === 0 ? '' : ' ';
  const line = open + gap + parts.join(', ') + gap + close;
  if (!line.includes('\n') && indent.length + line.length <= width) return line;
  return `${open}\n${parts.map((part) => inner + part).join(',\n')}\n${indent}${close}`;
}
