import { accessSync, constants, readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';

// Building blocks for settings: parsers for their strings, and the error for invalid values.

/** One setting of the program. */
export interface Setting<T> {
  /** Description in one sentence, shown by `linkfold config` and in docs/configuration.md. */
  readonly about: string;
  /** Default as a string. Null if the program treats an unset value differently from every other value. */
  readonly fallback: string | null;
  /** True for a secret. A secret is masked when shown, and can be read from the file named by `<NAME>_FILE`. */
  readonly secret?: true;
  /** True if the value can be read from the file named by `<NAME>_FILE`, although it is not secret. */
  readonly file?: true;
  /** Parses the setting's string. @throws Error with a sentence that describes the expected format */
  readonly read: (text: string) => T;
}

/** Creates a setting. @param extra whether the value is secret, and whether it can come from a file */
export function setting<T>(
  about: string,
  fallback: string | null,
  read: (text: string) => T,
  extra = {},
): Setting<T> {
  return { about, fallback, read, ...extra };
}

export function fail(expected: string): never {
  throw new Error(expected);
}

export function wholeNumber(min: number, max: number) {
  return (text: string) => {
    const value = Number(text);
    const good = /^\d+$/.test(text) && value >= min && value <= max;
    return good ? value : fail(`must be an integer from ${min} to ${max}`);
  };
}

/** Parses a positive integer, or the word `auto`. */
export function wholeNumberOrAuto(max: number) {
  return (text: string): number | 'auto' => {
    if (text === 'auto') return text;
    const good = /^\d+$/.test(text) && Number(text) >= 1 && Number(text) <= max;
    return good ? Number(text) : fail(`must be an integer from 1 to ${max}, or auto`);
  };
}

export function oneOf<const W extends readonly string[]>(...words: W) {
  return (text: string): W[number] =>
    words.includes(text) ? text : fail(`must be one of ${words.join(', ')}`);
}

export function flag(text: string): boolean {
  return oneOf('0', '1')(text) === '1';
}

export function list(text: string): string[] {
  return text.split(/[\s,]+/).filter((word) => word !== '');
}

export function shortened(text: string): string {
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}

/** Parses a header name, and returns it in lower case. */
export function headerName(text: string): string {
  return /^[a-z][a-z\d-]{0,63}$/i.test(text)
    ? text.toLowerCase()
    : fail('must be a header name, such as CF-IPCountry');
}

/** Parses the path of a readable file, and returns the absolute path. */
export function readableFile(text: string): string {
  try {
    accessSync(text, constants.R_OK);
  } catch {
    return fail(`is ${shortened(text)}, which does not exist or cannot be read`);
  }
  return statSync(text).isFile() ? resolve(text) : fail(`is ${shortened(text)}, which is not a file`);
}

/** Maximum size of a JSON file in bytes. Apple's systems ignore larger association files. */
const maxJsonBytes = 128 * 1_024;

/** Returns the content of a JSON file, which must not exceed the maximum size. */
export function jsonFile(text: string): string {
  const path = readableFile(text);
  if (statSync(path).size > maxJsonBytes)
    fail(`is ${shortened(text)}, which is larger than ${maxJsonBytes} bytes`);
  const content = readFileSync(path, 'utf8');
  try {
    JSON.parse(content);
  } catch {
    fail(`is ${shortened(text)}, which is not valid JSON`);
  }
  return content;
}

export function webAddress(text: string): string {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) ? url.href : fail('must be an http or https URL');
}

export function hostName(text: string): string {
  const url = URL.parse(`http://${text}`);
  return url !== null && url.href === `http://${text.toLowerCase()}/` && url.port === ''
    ? url.hostname
    : fail('must be a host name without a scheme, port or path, such as links.example.com');
}

export function origin(text: string): string {
  const url = URL.parse(text);
  const good =
    url !== null && /^https?:$/.test(url.protocol) && url.pathname === '/' && url.search + url.hash === '';
  return good && url.username === ''
    ? url.origin
    : fail('must be an http or https origin such as https://go.example.com');
}

/**
 * Parses a base URL, which is an origin and an optional path under which the server responds. Returns it without a
 * trailing slash.
 */
export function baseUrl(text: string): string {
  const url = URL.parse(text);
  const good =
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    /^(?:\/[\w.~-]+)*\/?$/.test(url.pathname) &&
    url.search + url.hash + url.username === '';
  return good
    ? url.origin + url.pathname.replace(/\/$/, '')
    : fail('must be an http or https URL such as https://go.example.com or https://example.com/go');
}

export function sharedSecret(text: string): string {
  return /^[\x21-\x7e]{16,}$/.test(text)
    ? text
    : fail('must be at least 16 printable ASCII characters without spaces');
}

/** Masks a secret value. Shows the path of a database file, but no part of a key or password. */
export function mask(text: string): string {
  return text === '' || text.startsWith('sqlite:') ? text : '********';
}
