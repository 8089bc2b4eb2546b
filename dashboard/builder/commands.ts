import { linkInputs } from '../../src/client/link-inputs.ts';
import { type Draft, toInput } from './draft.ts';

/** Returns a curl command that creates the same link as the draft. */
export function asCurl(draft: Draft, origin: string): string {
  return [
    `curl -X POST ${origin}/api/v1/shorten`,
    `-H "Authorization: Bearer $LINKFOLD_API_KEY"`,
    `-H 'Content-Type: application/json'`,
    // The password is replaced by a placeholder, because copied text may be pasted anywhere.
    `-d ${quote(JSON.stringify({ ...toInput(draft), ...(draft.password && { password: '...' }) }))}`,
  ].join(' \\\n  ');
}

/** Returns the `linkfold shorten` option for an API field, such as `--expires` for `expiresAt`. */
function optionOf(field: string): string {
  return `--${linkInputs.find(({ name }) => name === field)?.option}`;
}

/** Returns the CLI command that creates the same link as the draft. */
export function asCli(draft: Draft, origin: string): string {
  const { url, password, tags, ...rest } = toInput(draft);
  const given = Object.entries({ ...rest, ...(tags && { tags: tags.join(',') }) }).map(
    ([name, value]) =>
      `${optionOf(name)} ${quote(typeof value === 'object' ? JSON.stringify(value) : String(value))}`,
  );
  const secret = password === undefined ? [] : ['--password-file -'];
  return [`linkfold shorten ${quote(url)} --server ${origin}`, ...given, ...secret].join(' ');
}

/** Quotes a string for a POSIX shell. */
function quote(text: string): string {
  return /^[\w:/.,@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
