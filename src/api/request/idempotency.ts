import { createHash } from 'node:crypto';
import { type Endpoint, takesIdempotencyKey } from '../../contract/endpoint.ts';
import type { ApiKey } from '../../model/accounts/keys.ts';
import { Failure, refused } from '../../model/failures.ts';
import { type IdempotencyClaim, malformedKey } from '../../model/idempotency.ts';
import type { Storage } from '../../model/storage.ts';
import { hasFaults, isFaulty } from '../../runtime/fault-points.ts';

const shape = /^[\x21-\x7e]{1,255}$/;

/**
 * Reads `Idempotency-Key`. The fingerprint is computed from method, path and body, so that the key matches no other
 * request. For passwords, it includes only whether one is set, because a fast digest would make them easy to guess.
 * @returns undefined if the endpoint ignores the header
 * @throws Failure VALIDATION_ERROR if the key is not 1–255 printable ASCII characters without spaces
 */
export function readKey(
  endpoint: Endpoint,
  header: string | string[],
  key: ApiKey,
  request: { readonly path: string; readonly body: unknown },
  at: number,
): IdempotencyClaim | undefined {
  const { method, success } = endpoint;
  if (!takesIdempotencyKey(endpoint)) return undefined;
  if (typeof header !== 'string' || !shape.test(header)) {
    throw refused([malformedKey()]);
  }
  // Includes the restrictions of the API key, because a key with different restrictions must not get the stored
  // response.
  const { hosts, folders } = key.restrictions ?? {};
  const restrictions = key.restrictions === undefined ? '' : `${JSON.stringify([hosts, folders])}\n`;
  const text = `${restrictions}${method} ${request.path}\n${JSON.stringify(withoutPasswords(request.body))}`;
  const fingerprint = createHash('sha256').update(text).digest('base64url');
  return { accountId: key.accountId, key: header, fingerprint, at, showsSecret: success.showsSecret };
}

type Fields = Readonly<Record<string, unknown>>;

/** Replaces passwords with empty strings: in the body itself, in `links` and in `set`. */
function withoutPasswords(body: unknown): unknown {
  if (!isObject(body)) return body;
  const { links, set } = body;
  return {
    ...withoutPassword(body),
    ...(Array.isArray(links) && { links: links.map((row) => (isObject(row) ? withoutPassword(row) : row)) }),
    ...(isObject(set) && { set: withoutPassword(set) }),
  };
}

function withoutPassword(fields: Fields): Fields {
  return typeof fields['password'] === 'string' ? { ...fields, password: '' } : fields;
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Runs `work` for an idempotency key.
 * @throws Failure IDEMPOTENCY_IN_PROGRESS while another request with the same idempotency key is running
 */
export type Exclusively = <T>(once: IdempotencyClaim, work: () => Promise<T>) => Promise<T>;

/** Creates a function that prevents concurrent requests with the same idempotency key in this process. */
export function createInProgress(): Exclusively {
  const running = new Set<string>();

  return async (once, work) => {
    const name = `${once.accountId} ${once.key}`;
    if (running.has(name)) {
      throw new Failure('IDEMPOTENCY_IN_PROGRESS');
    }
    running.add(name);
    try {
      return await work();
    } finally {
      running.delete(name);
    }
  };
}

/**
 * Returns whether the idempotency key was used before, and if so, for the same or another request. A repeated request
 * skips the handler's rules, because they may depend on the time. A different request is a conflict, which is reported
 * after all field validation errors (CONTRACT §1.4).
 */
export async function earlierUse(
  storage: Storage,
  once: IdempotencyClaim,
): Promise<'same' | 'other' | undefined> {
  // Simulates a fault in tests: this check misses the earlier use, so the write transaction must detect it.
  if (hasFaults && isFaulty('missedIdempotencyKey')) return undefined;
  const fingerprint = await storage.findIdempotencyKey(once.accountId, once.key, once.at);
  if (fingerprint === undefined) return undefined;
  return fingerprint === once.fingerprint ? 'same' : 'other';
}
