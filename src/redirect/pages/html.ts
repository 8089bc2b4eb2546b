import { hash } from 'node:crypto';

/** Markup that is safe to put into markup. */
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

/** Makes text safe as the content of an element and of a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '');
}

/** Markup with every value escaped. A value that is markup itself stays as it is; `undefined` becomes nothing. */
export function html(parts: TemplateStringsArray, ...values: readonly (string | Html | undefined)[]): Html {
  let markup = parts[0] ?? '';
  for (const [index, value] of values.entries()) {
    markup += value === undefined ? '' : typeof value === 'string' ? escapeHtml(value) : value.markup;
    markup += parts[index + 1] ?? '';
  }
  return { markup };
}

/** A text with its `{placeholders}` filled in. */
export function fill(text: string, values: Readonly<Record<string, string | Html>>): Html {
  const parts = text.split(/\{(\w+)\}/);
  const filled = parts.map((part, at) => html`${at % 2 === 0 ? part : (values[part] ?? '')}`.markup);
  return { markup: filled.join('') };
}

/** By which a policy recognizes a style that it allows. */
export function digestOf(style: string): string {
  return hash('sha256', style, 'base64');
}
