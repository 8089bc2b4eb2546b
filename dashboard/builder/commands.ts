import { type Draft, toInput } from './draft.ts';

/** The request that makes the same link. */
export function asCurl(draft: Draft, origin: string): string {
  return [
    `curl -X POST ${origin}/api/v1/shorten`,
    `-H "Authorization: Bearer $LINKFOLD_API_KEY"`,
    `-H 'Content-Type: application/json'`,
    // It is typed where the command runs: what is copied may be pasted anywhere.
    `-d ${quote(JSON.stringify({ ...toInput(draft), ...(draft.password && { password: '...' }) }))}`,
  ].join(' \\\n  ');
}

const options = {
  customCode: 'code',
  prefix: 'prefix',
  length: 'length',
  ifExists: 'if-exists',
  title: 'title',
  description: 'description',
  expiresAt: 'expires',
  folderId: 'folder',
  tags: 'tags',
  startsAt: 'starts',
  disabled: 'disabled',
  expiredUrl: 'expired-url',
  redirectStatus: 'redirect-status',
  forwardQuery: 'forward-query',
  rules: 'rules',
  maxClicks: 'max-clicks',
  utm: 'utm',
  card: 'card',
} as const;

const asJson: ReadonlySet<string> = new Set(['rules', 'utm', 'card']);

/** The command that makes the same link. */
export function asCli(draft: Draft, origin: string): string {
  const { url, password, ...rest } = toInput(draft);
  const secret = password === undefined ? [] : ['--password-file -'];
  const given = Object.entries(rest).map(
    ([name, value]) =>
      `--${options[name as keyof typeof options]} ${quote(asJson.has(name) ? JSON.stringify(value) : String(value))}`,
  );
  return [`linkfold links shorten ${quote(url)} --server ${origin}`, ...given, ...secret].join(' ');
}

/** For a POSIX shell. */
function quote(text: string): string {
  return /^[\w:/.,@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
