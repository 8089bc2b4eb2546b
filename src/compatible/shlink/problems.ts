import type { ErrorResponse, Reply } from '../request/adapter.ts';
import { fieldNames } from './fields.ts';

/** Shlink's problem types by error code, with the names that Shlink used before version 3. */
const kinds: Readonly<Record<string, readonly [kind: string, before3: string, title: string]>> = {
  MISSING_API_KEY: ['missing-authentication', 'INVALID_AUTHORIZATION', 'Invalid authorization'],
  INVALID_API_KEY: ['invalid-api-key', 'INVALID_API_KEY', 'Invalid API key'],
  EXPIRED_API_KEY: ['invalid-api-key', 'INVALID_API_KEY', 'Invalid API key'],
  LINK_NOT_FOUND: ['short-url-not-found', 'INVALID_SHORTCODE', 'Short URL not found'],
  TAG_NOT_FOUND: ['tag-not-found', 'TAG_NOT_FOUND', 'Tag not found'],
  TAG_NAME_TAKEN: ['tag-conflict', 'TAG_CONFLICT', 'Tag conflict'],
  DOMAIN_NOT_FOUND: ['domain-not-found', 'DOMAIN_NOT_FOUND', 'Domain not found'],
  CUSTOM_CODE_TAKEN: ['non-unique-slug', 'INVALID_SLUG', 'Invalid custom slug'],
  CUSTOM_CODE_RESERVED: ['non-unique-slug', 'INVALID_SLUG', 'Invalid custom slug'],
  ROUTE_NOT_FOUND: ['not-found', 'NOT_FOUND', 'Not found'],
};

const invalid = ['invalid-data', 'INVALID_ARGUMENT', 'Invalid data'] as const;

/** Status codes that differ from Linkfold's, because Shlink clients expect them. */
const statuses: Readonly<Record<string, number>> = { CUSTOM_CODE_TAKEN: 400, CUSTOM_CODE_RESERVED: 400 };

/** Converts an error to problem details with Shlink's additional fields. */
export function refuse({ answer, path }: ErrorResponse): Reply {
  const { code, message, details } = answer.body.error;
  const isOurs = answer.status !== 400 && answer.status !== 422 && kinds[code] === undefined;
  const [kind, before3, title] =
    kinds[code] ?? (isOurs ? [code.toLowerCase().replaceAll('_', '-'), code, code] : invalid);
  const status = statuses[code] ?? (answer.status === 422 ? 400 : answer.status);
  const elements = details?.map(({ field }) => fieldNames[field] ?? field);
  const body = JSON.stringify({
    type: /^\/rest\/v[12]\//.test(path) ? before3 : `https://shlink.io/api/error/${kind}`,
    title,
    detail: message,
    status,
    ...(elements !== undefined && { invalidElements: elements }),
  });
  return { status, body, type: 'application/problem+json; charset=utf-8' };
}
