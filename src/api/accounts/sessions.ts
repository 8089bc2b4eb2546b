import { describeAgent } from '../../clicks/dimensions/agents.ts';
import type { sessionEndpoints } from '../../contract/accounts/sessions.ts';
import type { Endpoint } from '../../contract/endpoint.ts';
import { Refusal } from '../../contract/envelope.ts';
import { type Actor, personAuthor } from '../../model/accounts/actors.ts';
import { hasScope, mayActOn, requireActOn } from '../../model/accounts/authority.ts';
import { endOfSession, findLogin, type Session, startSession } from '../../model/accounts/sessions.ts';
import { Failure } from '../../model/failures.ts';
import { formatTimestamp } from '../../model/timestamps.ts';
import { version } from '../../runtime/version.ts';
import { isCrossSite, sessionCookie, sessionTokenIn } from '../request/browser.ts';
import type { ApiContext, Call, Handlers } from '../request/handler.ts';
import { actingMemberOf, identityOf } from './account.ts';
import { cookieAfterSignIn, cookieOf, endSessions, sessionsOf } from './browser-sessions.ts';

/**
 * Returns the ID of the actor's key if the actor may see only that key's sessions; undefined if the actor may see all
 * of the account's sessions.
 */
function visibleSessionsKey({ key }: Actor): string | undefined {
  return hasScope(key, 'keys:write') && key.restrictions === undefined ? undefined : key.id;
}

export function shownSession(session: Session, actor: Pick<Actor, 'session'>) {
  const { id, key, agent, createdAt, lastSeenAt } = session;
  return {
    id,
    keyId: key.id,
    keyName: key.name,
    person: actingMemberOf(key),
    agent,
    createdAt: formatTimestamp(createdAt),
    lastSeenAt: formatTimestamp(lastSeenAt),
    expiresAt: formatTimestamp(endOfSession(session)),
    isCurrent: actor.session?.id === id,
  };
}

/** Checks that members may sign in without the OpenID Connect provider. @throws Failure OIDC_ONLY if they may not */
export function requireOtherWays({ provider }: ApiContext): void {
  if (provider?.isOnly) throw new Failure('OIDC_ONLY');
}

/** The parts of a call that are needed to start a session in the caller's browser. */
export type SessionCall = Pick<Call<Endpoint>, 'browser' | 'context'>;

/**
 * Starts a session in a browser that signed in without a key.
 * @param begin creates the session; `agent` describes the browser
 * @throws Refusal CROSS_SITE_REQUEST, INSECURE_CONNECTION
 */
export async function startBrowserSession(
  { context, browser: { headers, setCookie } }: SessionCall,
  begin: (agent: string) => Promise<{ token: string; session: Session }>,
) {
  // Prevents login CSRF: a page on another site must not sign the browser in to another account.
  if (isCrossSite(headers)) throw new Refusal('CROSS_SITE_REQUEST');
  // Checks the connection before sign-in, so that a rejected request does not use up a one-time link or code.
  if (sessionCookie(headers, '', 0) === undefined) throw new Refusal('INSECURE_CONNECTION');
  const { token, session } = await begin(describeAgent(headers['user-agent'] ?? ''));
  const author = personAuthor(session.key.member?.id ?? null, session.key.name, session.createdAt);
  const asPerson = { ...context, writes: context.storage.writesBy(author) };
  setCookie(await cookieAfterSignIn(asPerson, headers, { token, session }));
  const data = shownSession(session, { session });
  return { success: true as const, data };
}

export const sessionHandlers: Handlers<typeof sessionEndpoints> = {
  createSession: {
    async run({ context, actor, browser }) {
      const { headers, setCookie } = browser;
      // The setting OIDC_ONLY applies only to members' login links. Keys, and login links created with a key, always
      // work.
      if (actor.loginLink !== undefined && actor.key.member?.isSelf) requireOtherWays(context);
      const now = context.now();
      const agent = describeAgent(headers['user-agent'] ?? '');
      // Checks the connection before sign-in, so that a rejected request does not use up the login link.
      if (sessionCookie(headers, '', 0) === undefined) throw new Refusal('INSECURE_CONNECTION');
      const { token, session } = await startSession(context.writes, actor, agent, now, context.randomBytes);
      setCookie(await cookieAfterSignIn(context, headers, { token, session }));
      return { success: true, data: shownSession(session, { session }) };
    },
    location: () => '/api/v1/session',
  },

  describeSignInLink: {
    async run({ context, body }) {
      const { key, loginLink } = await findLogin(context.storage, body.token, context.now());
      const { account, name: keyName } = key;
      const data = {
        account,
        keyName,
        person: actingMemberOf(key),
        expiresAt: formatTimestamp(loginLink.expiresAt),
      };
      return { success: true, data };
    },
  },

  getSession: {
    async run({ context, key, actor }) {
      const identity = await identityOf(context, key);
      const session = actor.session === undefined ? null : shownSession(actor.session, actor);
      return { success: true, data: { ...identity, session, version, baseUrl: context.baseUrl() } };
    },
  },

  endSession: {
    async run({ context, key, actor, browser }) {
      if (actor.session === undefined) return undefined;
      await context.writes.endSession(key.accountId, actor.session.id);
      await endSessions(context, await sessionsOf(context, browser.headers));
      const gone = sessionCookie(browser.headers, undefined, 0);
      if (gone !== undefined) browser.setCookie(gone);
      return undefined;
    },
  },

  listAccountsOfBrowser: {
    async run({ context, browser: { headers } }) {
      const current = sessionTokenIn(headers);
      const found = await sessionsOf(context, headers);
      const data = found.map(({ token, session }) => ({
        ...shownSession(session, token === current ? { session } : {}),
        account: session.key.account,
      }));
      return { success: true, data };
    },
  },

  switchAccount: {
    async run({ context, body, browser: { headers, setCookie } }) {
      if (isCrossSite(headers)) throw new Refusal('CROSS_SITE_REQUEST');
      const found = await sessionsOf(context, headers);
      const next = found.find(({ session }) => session.id === body.sessionId.toLowerCase());
      if (next === undefined) throw new Failure('SESSION_NOT_FOUND');
      setCookie(cookieOf(headers, [next, ...found.filter((one) => one !== next)]));
      const { session } = next;
      return { success: true, data: shownSession(session, { session }) };
    },
  },

  listSessions: {
    async run({ context, key, actor }) {
      const found = await context.storage.sessions(key.accountId, visibleSessionsKey(actor));
      const now = context.now();
      const live = found.filter((session) => endOfSession(session) > now && session.key.revokedAt === null);
      return { success: true, sessions: live.map((session) => shownSession(session, actor)) };
    },
  },

  endOtherSessions: {
    async run({ context, key, actor }) {
      // Ends only the member's own sessions, even if the member may see other members' sessions.
      const bound = key.member?.isSelf ? key.id : visibleSessionsKey(actor);
      const found = await context.storage.sessions(key.accountId, bound);
      const keys = new Set(found.filter((one) => mayActOn(key, one.key)).map((one) => one.key.id));
      let ended = 0;
      for (const id of keys)
        ended += await context.writes.endSessions(key.accountId, actor.session?.id ?? '', id);
      return { success: true, data: { ended } };
    },
  },

  endSessionById: {
    async run({ context, key, actor, params }) {
      const found = await context.storage.sessions(key.accountId, visibleSessionsKey(actor));
      const session = found.find(({ id }) => id === params.id);
      if (session === undefined) throw new Failure('SESSION_NOT_FOUND');
      requireActOn(key, session.key);
      await context.writes.endSession(key.accountId, session.id);
    },
  },
};
