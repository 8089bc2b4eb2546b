import { findSession, longestLifetimeMs, type Session } from '../../model/accounts/sessions.ts';
import { Failure } from '../../model/failures.ts';
import { maxSessionsOfBrowser, sessionCookie, sessionTokensIn } from '../request/browser.ts';
import type { ApiContext, BrowserHeaders } from '../request/handler.ts';

/** A session with what proves it, which the browser has. */
interface Held {
  readonly token: string;
  readonly session: Session;
}

/** The sessions of a browser that continue, the one in hand first. */
export async function sessionsOf(context: ApiContext, headers: BrowserHeaders): Promise<Held[]> {
  const found: Held[] = [];
  for (const token of new Set(sessionTokensIn(headers))) {
    const session = await live(context, token);
    if (session !== undefined) found.push({ token, session });
  }
  return found;
}

async function live({ storage, now }: ApiContext, token: string): Promise<Session | undefined> {
  try {
    const session = await findSession(storage, token, now());
    // Of a suspended account it could do nothing, not even make room for another one.
    return session.key.accountSuspended ? undefined : session;
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}

/** The cookie of a browser with these sessions, the one in hand first. */
export function cookieOf(headers: BrowserHeaders, held: readonly Held[]): string {
  const tokens = held.map(({ token }) => token).join('.');
  return sessionCookie(headers, tokens, longestLifetimeMs / 1_000) ?? '';
}

/**
 * The cookie of a browser that was given a session. Its other accounts stay; who signs in again where they were signed in has one
 * session there, the new one.
 */
export async function cookieWith(context: ApiContext, headers: BrowserHeaders, begun: Held): Promise<string> {
  const before = await sessionsOf(context, headers);
  const others = before
    .filter(({ session }) => session.key.id !== begun.session.key.id)
    .slice(0, maxSessionsOfBrowser - 1);
  await endSessions(
    context,
    before.filter((one) => !others.includes(one)),
  );
  return cookieOf(headers, [begun, ...others]);
}

/** Ends sessions of a browser. */
export async function endSessions({ writes }: ApiContext, held: readonly Held[]): Promise<void> {
  for (const { session } of held) await writes.endSession(session.key.accountId, session.id);
}
