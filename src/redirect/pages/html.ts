import { hash } from 'node:crypto';

/** Escaped markup. */
export interface Html {
  readonly markup: string;
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes text for element content and quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '');
}

/** Builds markup and escapes every value. Values that are `Html` are inserted as is; `undefined` is omitted. */
export function html(parts: TemplateStringsArray, ...values: readonly (string | Html | undefined)[]): Html {
  let markup = parts[0] ?? '';
  for (const [index, value] of values.entries()) {
    markup += value === undefined ? '' : typeof value === 'string' ? escapeHtml(value) : value.markup;
    markup += parts[index + 1] ?? '';
  }
  return { markup };
}

/** Replaces the `{placeholders}` in a string. */
export function fill(text: string, values: Readonly<Record<string, string | Html>>): Html {
  const parts = text.split(/\{(\w+)\}/);
  const filled = parts.map((part, at) => html`${at % 2 === 0 ? part : (values[part] ?? '')}`.markup);
  return { markup: filled.join('') };
}

/** Returns the CSP hash of an inline style. */
export function digestOf(style: string): string {
  return hash('sha256', style, 'base64');
}
