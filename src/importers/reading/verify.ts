import { OutboundFailure } from '../../outbound/failure.ts';
import type { Outbound, OutboundAnswer } from '../../outbound/outbound.ts';
import { retryAfterIn } from '../../runtime/retry-after.ts';

/** What the old host does with a code. `silent`: it gave no answer, or asked to wait too often. */
export type Verdict = 'same' | 'different' | 'missing' | 'no-redirect' | 'silent';

export interface Verified {
  readonly verdict: Verdict;
  /** Of its answer; null where none came. */
  readonly status: number | null;
  /** Where it leads. */
  readonly there: string | null;
  readonly reason: string | null;
}

interface Asking {
  readonly outbound: Outbound;
  readonly now: () => number;
  readonly wait: (ms: number) => Promise<void>;
}

const limits = { firstByteMs: 15_000, wholeMs: 30_000, anyPort: true, isCut: true, mostBytes: 1_024 };
const mostTries = 4;
const longestWaitMs = 60_000;
const asksToWait: ReadonlySet<number> = new Set([429, 503]);
const knowsNoHead: ReadonlySet<number> = new Set([405, 501]);

/**
 * Asks the old host where a code leads, without following, and compares that with where it leads here.
 * @param address of the short link there @param here where visitors go from here
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

/** Headers come with a unit for each byte; some services send a destination in UTF-8 as it is. */
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
    else if (asksToWait.has(answer.status) && tries < mostTries) {
      const asked = retryAfterIn(answer.headers['retry-after'], now()) ?? 1_000 * 2 ** tries;
      await wait(Math.min(asked, longestWaitMs));
    } else return answer;
  }
}

/** Runs work on items, so many at once, in the order in which they come. */
export async function atOnce<T>(
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
