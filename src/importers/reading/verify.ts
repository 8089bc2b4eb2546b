import { OutboundFailure } from '../../external/outbound/failure.ts';
import type { Outbound, OutboundAnswer } from '../../external/outbound/outbound.ts';
import { retryAfterIn } from '../../runtime/retry-after.ts';

/**
 * How the previous host responds to a code. `silent` means that it did not respond, or limited the request rate for too
 * long.
 */
export type Verdict = 'same' | 'different' | 'missing' | 'no-redirect' | 'silent';

export interface Verified {
  readonly verdict: Verdict;
  /** HTTP status; null if there was no response. */
  readonly status: number | null;
  /** URL to which the previous host redirects. */
  readonly there: string | null;
  readonly reason: string | null;
}

interface Asking {
  readonly outbound: Outbound;
  readonly now: () => number;
  readonly wait: (ms: number) => Promise<void>;
}

const limits = { firstByteMs: 15_000, totalMs: 30_000, anyPort: true, isTruncated: true, maxBytes: 1_024 };
const maxTries = 4;
const longestWaitMs = 60_000;
const asksToWait: ReadonlySet<number> = new Set([429, 503]);
const knowsNoHead: ReadonlySet<number> = new Set([405, 501]);

/**
 * Requests a short URL from the previous host, without following redirects, and compares its destination with that of
 * the link in this installation.
 * @param address short URL at the previous host
 * @param here destination in this installation
 */
export async function verify(address: string, here: string, asking: Asking): Promise<Verified> {
  let answer: OutboundAnswer | undefined;
  try {
    answer = await answerOf(address, asking);
  } catch (error) {
    if (!(error instanceof OutboundFailure)) throw error;
    return { verdict: 'silent', status: null, there: null, reason: error.message };
  }
  const { status, headers } = answer;
  const location = textOf(headers['location']);
  const there = location === undefined ? null : (URL.parse(location, address)?.href ?? location);
  const isRedirect = status >= 300 && status < 400 && there !== null;
  const verdict = isRedirect
    ? there === (URL.parse(here)?.href ?? here)
      ? 'same'
      : 'different'
    : status === 404 || status === 410
      ? 'missing'
      : asksToWait.has(status)
        ? 'silent'
        : 'no-redirect';
  return { verdict, status, there: isRedirect ? there : null, reason: null };
}

/** Decodes a header. Some services send the destination as raw UTF-8, which Node decodes as one character per byte. */
function textOf(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  const text = Buffer.from(header, 'latin1').toString('utf8');
  return text.includes('\ufffd') ? header : text;
}

async function answerOf(address: string, { outbound, now, wait }: Asking): Promise<OutboundAnswer> {
  let method: 'HEAD' | 'GET' = 'HEAD';
  for (let tries = 1; ; tries += 1) {
    const answer = await outbound.request(address, { ...limits, method });
    if (knowsNoHead.has(answer.status) && method === 'HEAD') method = 'GET';
    else if (asksToWait.has(answer.status) && tries < maxTries) {
      const asked = retryAfterIn(answer.headers['retry-after'], now()) ?? 1_000 * 2 ** tries;
      await wait(Math.min(asked, longestWaitMs));
    } else return answer;
  }
}

/** Calls a function for each item in order, with at most `most` calls at a time. */
export async function runConcurrently<T>(
  items: AsyncIterable<T>,
  most: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const running = new Set<Promise<void>>();
  for await (const item of items) {
    const one = work(item).finally(() => running.delete(one));
    running.add(one);
    if (running.size >= most) await Promise.race(running);
  }
  await Promise.all(running);
}
