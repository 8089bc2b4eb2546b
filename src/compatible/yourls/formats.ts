import type { Fields, Reply } from '../request/adapter.ts';

/** An answer of YOURLS before it is written in the format that was asked for. */
export interface YourlsReply {
  readonly status: number;
  readonly fields: Fields;
  /** The one line of the format `simple`; undefined where the action has none. */
  readonly simple?: string | undefined;
}

const callbackName = /^[A-Za-z_$][\w$]{0,99}(?:\.[A-Za-z_$][\w$]{0,99}){0,9}$/;

/** Whether a text may be called in a script. */
export function isCallback(text: unknown): text is string {
  return typeof text === 'string' && callbackName.test(text);
}

/** Writes an answer in the format that was asked for; XML when none was. */
export function written({ status, fields, simple }: YourlsReply, { format, callback }: Fields): Reply {
  switch (format) {
    case 'json':
      return { status, body: JSON.stringify(fields), type: 'application/json; charset=utf-8' };
    case 'jsonp': {
      // A name that is none was refused before; that refusal comes without a call.
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

/** Line ends that JSON may hold and older scripts may not, and what ends a script in a page. */
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

/** Control characters, which XML has no way to write, are left out. */
function escaped(text: string): string {
  return text
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '')
    .replace(/[&<>"]/g, (one) => entities[one] ?? '');
}
