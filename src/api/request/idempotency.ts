import { createHash } from 'node:crypto';
import { type Endpoint, takesIdempotencyKey } from '../../contract/endpoint.ts';
import type { ApiKey } from '../../model/accounts/keys.ts';
import { Failure, refused } from '../../model/failures.ts';
import { type IdempotencyClaim, malformedKey } from '../../model/idempotency.ts';
import type { Storage } from '../../model/storage.ts';
import { hasFaults, isFaulty } from '../../runtime/fault-points.ts';

const shape = /^[\x21-\x7e]{1,255}$/;

/**
 * Reads `Idempotency-Key`. The fingerprint covers method, path and body, so that the key matches no other request. Of a
 * password, it only covers whether one is set: a fast digest of the password would bypass its slow hash.
 * @returns undefined if the endpoint ignores the header
 * @throws Failure VALIDATION_ERROR for an empty, over-long or unprintable key
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
  // A response must not be replayed for another key with more restrictions.
  const { hosts, folders } = key.restrictions ?? {};
  const restrictions = key.restrictions === undefined ? '' : `${JSON.stringify([hosts, folders])}\n`;
  const text = `${restrictions}${method} ${request.path}\n${JSON.stringify(withoutPasswords(request.body))}`;
  const fingerprint = createHash('sha256').update(text).digest('base64url');
  return { accountId: key.accountId, key: header, fingerprint, at, showsSecret: success.showsSecret };
}

type Fields = Readonly<Record<string, unknown>>;

/** Removes passwords from the fields of links: in the body itself, in `links` and in `set`. */
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
 * Runs the work for an idempotency key.
 * @throws Failure IDEMPOTENCY_IN_PROGRESS while another request with the key is running
 */
export type Exclusively = <T>(once: IdempotencyClaim, work: () => Promise<T>) => Promise<T>;

/** Prevents concurrent requests with the same key in this process. */
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
 * Returns how the key was used before. For the same request, rules that depend on the time are not checked again. A
 * different request is a conflict, which is reported after all problems of fields (CONTRACT §1.4).
 */
export async function earlierUse(
  storage: Storage,
  once: IdempotencyClaim,
): Promise<'same' | 'other' | undefined> {
  // The claim compares the fingerprints again.
  if (hasFaults && isFaulty('missedIdempotencyKey')) return undefined;
  const fingerprint = await storage.findIdempotencyKey(once.accountId, once.key, once.at);
  if (fingerprint === undefined) return undefined;
  return fingerprint === once.fingerprint ? 'same' : 'other';
}
