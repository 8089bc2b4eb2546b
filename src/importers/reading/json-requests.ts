import { OutboundFailure } from '../../external/outbound/failure.ts';
import type { Outbound, OutboundAnswer } from '../../external/outbound/outbound.ts';
import { retryAfterIn } from '../../runtime/retry-after.ts';
import { BadRow } from '../fields.ts';
import { type Choices, type RequestJson, type Service, SourceFailure } from '../service.ts';

export interface JsonRequestOptions {
  readonly service: Service;
  readonly choices: Choices;
  /** Base URL of a self-hosted service. Undefined for the hosted service. */
  readonly at: string | undefined;
  readonly outbound: Outbound;
  /** Returns milliseconds since the epoch. */
  readonly now: () => number;
  readonly wait: (ms: number) => Promise<void>;
  /** Called when a long wait begins. */
  readonly onWait?: (ms: number) => void;
}

const maxTries = 6;
const firstPauseMs = 1_000;
const longestWaitMs = 3_600_000;
const limits = { maxBytes: 64 * 1_024 * 1_024, firstByteMs: 60_000, totalMs: 300_000, anyPort: true };
const isRefused: ReadonlySet<number> = new Set([401, 403]);
const isMissing: ReadonlySet<number> = new Set([402, 403, 404]);
const asksToWait: ReadonlySet<number> = new Set([429, 503]);
/** Errors that a retry cannot fix. */
const lasting: ReadonlySet<string> = new Set(['address', 'forbidden', 'redirect', 'too-long', 'aborted']);

/** Creates a function that requests JSON from a service. It respects rate limits and retries temporary errors. */
export function createJsonRequest({
  service,
  choices,
  at,
  outbound,
  now,
  wait,
  onWait,
}: JsonRequestOptions): RequestJson {
  const { api, label } = service;
  const base = at ?? api?.at;
  if (api === undefined || base === undefined)
    throw new SourceFailure(`No API URL for ${label}. Pass the URL with --at.`);
  let notBefore = 0;
  let hasAnswered = false;

  const pause = async (ms: number): Promise<void> => {
    if (ms > longestWaitMs)
      throw new SourceFailure(
        `${label} limits requests. Run the command again in ${Math.ceil(ms / 60_000)} minutes.`,
      );
    if (ms > 5_000) onWait?.(ms);
    if (ms > 0) await wait(ms);
  };
  const addressOf = (path: string, query: Readonly<Record<string, string | number | undefined>>): string => {
    const hosted = URL.parse(path);
    // A complete URL names a second host of the hosted service. A self-hosted service has no second host, so the URL's
    // path is requested at the given base URL.
    const isElsewhere = hosted !== null && at === undefined;
    const url = new URL(isElsewhere ? path : base.replace(/\/$/, '') + (hosted?.pathname ?? path));
    for (const [name, value] of Object.entries(query))
      if (value !== undefined) url.searchParams.set(name, String(value));
    return url.href;
  };
  const send = async (address: string, form?: Readonly<Record<string, string>>): Promise<OutboundAnswer> => {
    await pause(notBefore - now());
    notBefore = now() + (api.everyMs ?? 0);
    const headers = { accept: 'application/json', ...api.headers(choices) };
    if (form === undefined) return outbound.request(address, { ...limits, headers });
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    const body = new URLSearchParams(form).toString();
    return outbound.request(address, { ...limits, method: 'POST', headers: { ...headers, ...type }, body });
  };

  return async (path, query = {}, { optional, form } = {}) => {
    let failure: Error = new BadRow(`${label} did not respond`);
    let delay = 0;
    for (let tries = 0; tries < maxTries; tries += 1) {
      await pause(delay);
      delay = firstPauseMs * 2 ** tries;
      let answer: OutboundAnswer;
      try {
        answer = await send(addressOf(path, query), form);
      } catch (error) {
        if (!(error instanceof OutboundFailure)) throw error;
        failure = new SourceFailure(`${error.message}.`, !lasting.has(error.reason));
        // A retry does not help if the server has never responded, because its URL is probably wrong.
        if (lasting.has(error.reason) || !hasAnswered) throw failure;
        continue;
      }
      hasAnswered = true;
      const { status, headers, body } = answer;
      failure = new BadRow(`${label} returned status ${status}`);
      if (asksToWait.has(status)) {
        failure = new SourceFailure(
          `${label} limits requests (status ${status}). Run the command again later.`,
          true,
        );
        delay = retryAfterIn(headers['retry-after'], now()) ?? delay;
      } else if (optional && isMissing.has(status)) return undefined;
      else if (isRefused.has(status))
        throw new SourceFailure(
          `${label} rejected the token (status ${status}). Check the token and its permissions.`,
        );
      else if (status >= 300 && status < 400)
        throw new SourceFailure(
          `${label} redirected the request (status ${status}). With --at, pass the URL that your browser shows.`,
        );
      else if (status >= 400 && status < 500) throw failure;
      else if (status < 300) {
        try {
          return JSON.parse(body.toString('utf8'));
        } catch {
          // The response may have been truncated, so the request is retried.
          failure = new BadRow(`${label} returned invalid JSON`);
        }
      }
    }
    throw failure;
  };
}
