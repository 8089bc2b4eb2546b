import { findSession, longestLifetimeMs, type Session } from '../../model/accounts/sessions.ts';
import { Failure } from '../../model/failures.ts';
import { maxSessionsOfBrowser, sessionCookie, sessionTokensIn } from '../request/browser.ts';
import type { ApiContext, BrowserHeaders } from '../request/handler.ts';

/** A session and its token from the browser's cookie. */
interface HeldSession {
  readonly token: string;
  readonly session: Session;
}

/** Returns a browser's active sessions, the current one first. */
export async function sessionsOf(context: ApiContext, headers: BrowserHeaders): Promise<HeldSession[]> {
  const found: HeldSession[] = [];
  for (const token of new Set(sessionTokensIn(headers))) {
    const session = await live(context, token);
    if (session !== undefined) found.push({ token, session });
  }
  return found;
}

async function live({ storage, now }: ApiContext, token: string): Promise<Session | undefined> {
  try {
    const session = await findSession(storage, token, now());
    // Omits sessions of suspended accounts. A suspended account accepts no requests, not even to switch sessions.
    return session.key.accountSuspended ? undefined : session;
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}

/** Returns the `Set-Cookie` header for the given sessions. The first session is the current one. */
export function cookieOf(headers: BrowserHeaders, held: readonly HeldSession[]): string {
  const tokens = held.map(({ token }) => token).join('.');
  return sessionCookie(headers, tokens, longestLifetimeMs / 1_000) ?? '';
}

/**
 * Returns the `Set-Cookie` header after a sign-in. The new session replaces an earlier session with the same key in
 * this browser. Sessions with other keys remain.
 */
export async function cookieAfterSignIn(
  context: ApiContext,
  headers: BrowserHeaders,
  begun: HeldSession,
): Promise<string> {
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

/** Ends the given sessions. */
export async function endSessions({ writes }: ApiContext, held: readonly HeldSession[]): Promise<void> {
  for (const { session } of held) await writes.endSession(session.key.accountId, session.id);
}
