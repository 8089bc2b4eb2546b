import { ApiError } from '../client/errors.ts';

/** What the API's fields are called where a person reads of them. */
export type FieldNames = Readonly<Record<string, string>>;

/** What they are called as options and arguments of a command. */
export const optionNames: FieldNames = {
  url: 'The URL',
  customCode: '--code',
  title: '--title',
  description: '--description',
  expiresAt: '--expires',
  folderId: '--folder',
  page: '--page',
  limit: '--limit',
  include: '--include',
  name: 'The name',
};

/**
 * The message of a refusal in the words of the command line.
 * @param names what the API's fields are called; those without a name keep the API's
 */
export function inOptions({ message, details }: ApiError, names: FieldNames = optionNames): string {
  const sentences = details.map((detail) => {
    const name = names[detail.field];
    const isNamed = name !== undefined && detail.message.startsWith(`${detail.field} `);
    return isNamed ? name + detail.message.slice(detail.field.length) : detail.message;
  });
  const code = names['customCode']?.replace('The ', '') ?? 'customCode';
  return (sentences.length === 0 ? message : sentences.join(' '))
    .replace('Choose another customCode.', `Choose another ${code}.`)
    .replace('Give a later time, or null for no expiry.', 'Give a later time.');
}

/** The same refusal in these words, and with the URL that was meant where that is plain: `example.com` lacks a scheme. */
export function withHint(error: unknown, url: string, names: FieldNames = optionNames): unknown {
  if (!(error instanceof ApiError)) return error;
  const { status, code, requestId, retryAfterSeconds } = error;
  const meant = code === 'INVALID_URL' ? withScheme(url) : undefined;
  const hint = meant === undefined ? '' : ` Did you mean ${meant}`;
  return new ApiError(inOptions(error, names) + hint, { status, code, requestId, retryAfterSeconds });
}

/** What begins with a name that has a dot in it, or with localhost. */
const hostFirst = /^(?:[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+|localhost)(?::\d{1,5})?(?:[/?#]|$)/u;

function withScheme(text: string): string | undefined {
  const trimmed = text.trim().replace(/^\/\//, '');
  const isUsable = hostFirst.test(trimmed) && !/\s/.test(trimmed) && URL.canParse(`https://${trimmed}`);
  if (!isUsable) return undefined;
  return `${trimmed.startsWith('localhost') ? 'http' : 'https'}://${trimmed}`;
}
