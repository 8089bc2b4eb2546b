import type { Fields, Reply } from '../request/adapter.ts';

/** A YOURLS response before serialization in the requested format. */
export interface YourlsReply {
  readonly status: number;
  readonly fields: Fields;
  /** Response content in the `simple` format; undefined if the action does not support this format. */
  readonly simple?: string | undefined;
}

const callbackName = /^[A-Za-z_$][\w$]{0,99}(?:\.[A-Za-z_$][\w$]{0,99}){0,9}$/;

/** Returns true if a string is allowed as the name of a JSONP callback. */
export function isCallback(text: unknown): text is string {
  return typeof text === 'string' && callbackName.test(text);
}

/** Serializes a response in the requested format. The default is XML. */
export function written({ status, fields, simple }: YourlsReply, { format, callback }: Fields): Reply {
  switch (format) {
    case 'json':
      return { status, body: JSON.stringify(fields), type: 'application/json; charset=utf-8' };
    case 'jsonp': {
      // If the callback name is invalid, the response is the error about that name, as plain JSON.
      const json = JSON.stringify(fields);
      const type = 'application/javascript; charset=utf-8';
      return isCallback(callback)
        ? { status, body: `${callback}(${scriptSafe(json)})`, type }
        : { status, body: fields };
    }
    case 'simple': {
      const body = simple ?? 'This action does not support the simple format. Use format=json or xml.';
      return { status, body, type: 'text/plain; charset=utf-8' };
    }
    default: {
      const body = `<?xml version="1.0" encoding="UTF-8"?>\n<result>${xmlOf(fields)}</result>\n`;
      return { status, body, type: 'application/xml; charset=utf-8' };
    }
  }
}

/**
 * Escapes `<`, which could end a script element, and line separators that older JavaScript engines reject in strings.
 */
function scriptSafe(json: string): string {
  return json.replace(/[\u2028\u2029<]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function xmlOf(fields: Fields): string {
  return Object.entries(fields)
    .map(([name, value]) => {
      const inner =
        typeof value === 'object' && value !== null ? xmlOf(value as Fields) : escaped(String(value ?? ''));
      return `<${name}>${inner}</${name}>`;
    })
    .join('');
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Escapes a string for XML. Drops control characters that XML cannot represent. */
function escaped(text: string): string {
  return text
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '')
    .replace(/[&<>"]/g, (one) => entities[one] ?? '');
}
