import { type CheckProblem, type Finding, noticeOf } from '../../model/links/destination-checks.ts';
import { version } from '../../runtime/version.ts';
import { OutboundFailure } from '../outbound/failure.ts';
import type { Outbound, OutboundAnswer } from '../outbound/outbound.ts';
import { agentName, createRobots } from './robots.ts';
import { titleIn } from './titles.ts';

export interface DestinationCheckOptions {
  readonly outbound: Pick<Outbound, 'request'>;
  readonly now: () => number;
  /** Returns the origin of the short URLs, sent in the `User-Agent` so that site owners can identify the sender. */
  readonly origin: () => string;
}

/**
 * Checks a destination.
 * @returns undefined if the result is unknown, such as when the address must not be requested or robots.txt disallows
 * it
 */
export type CheckDestination = (
  url: string,
  wantsTitle: boolean,
  signal?: AbortSignal,
) => Promise<Finding | undefined>;

/** Maximum number of redirects to follow, fewer than the 20 that browsers follow. */
const maxRedirects = 12;
const checkTimeoutMs = 15_000;
/** Maximum number of bytes to read from a page. Its title is near the beginning. */
const maxBytes = 64 * 1_024;
/** Failures after which the check tries GET. The server may not support HEAD. */
const retried: ReadonlySet<string> = new Set(['broken', 'timeout']);

/**
 * Creates the function that checks a destination. It uses HEAD, and GET only if HEAD fails or a title is needed. A page
 * that rejects bots (401, 403, 429) exists; only errors that visitors would see count as a problem.
 */
export function createDestinationCheck({ outbound, now, origin }: DestinationCheckOptions): CheckDestination {
  const ask = (method: 'HEAD' | 'GET', url: string, signal: AbortSignal | undefined) =>
    outbound.request(url, {
      method,
      agent: `Mozilla/5.0 (compatible; ${agentName}/${version}; +${origin()})`,
      headers: { accept: 'text/html,*/*;q=0.5' },
      redirects: maxRedirects,
      anyPort: true,
      isTruncated: true,
      maxBytes,
      totalMs: checkTimeoutMs,
      ...(signal !== undefined && { signal }),
    });
  const answerOf = async (
    ...[url, wantsTitle, signal]: Parameters<CheckDestination>
  ): Promise<OutboundAnswer> => {
    if (wantsTitle) return ask('GET', url, signal);
    try {
      const answer = await ask('HEAD', url, signal);
      if (answer.status < 400) return answer;
    } catch (error) {
      if (!(error instanceof OutboundFailure) || !retried.has(error.reason)) throw error;
    }
    return ask('GET', url, signal);
  };
  const mayAsk = createRobots((url, signal) => ask('GET', url, signal), now);
  return async (url, wantsTitle, signal) => {
    try {
      if (!(await mayAsk(url, signal))) return undefined;
      const answer = await answerOf(url, wantsTitle, signal);
      const { status, redirects, certificateEndsAt } = answer;
      const problem = problemOf(status);
      const notice = problem === null ? noticeOf(redirects, certificateEndsAt, now()) : null;
      const title = wantsTitle && status < 300 ? await titleIn(answer) : undefined;
      return { problem, notice, status, redirects, certificateEndsAt, title };
    } catch (error) {
      if (!(error instanceof OutboundFailure)) throw error;
      const problem = problemOfFailure(error);
      return problem && { problem, notice: null, status: null, redirects: 0, certificateEndsAt: null };
    }
  };
}

function problemOf(status: number): CheckProblem | null {
  if (status === 404) return 'not-found';
  if (status === 410) return 'gone';
  return status >= 500 ? 'server-error' : null;
}

function problemOfFailure({ reason, code }: OutboundFailure): CheckProblem | undefined {
  if (reason === 'timeout') return 'timeout';
  if (/CERT|TLS|SSL|SIGNATURE|EPROTO/.test(code)) return 'tls';
  if (reason === 'broken') return 'unreachable';
  if (reason !== 'unreachable') return undefined;
  return /^(?:ENOTFOUND|ENODATA|EAI_)/.test(code) ? 'dns' : 'unreachable';
}
