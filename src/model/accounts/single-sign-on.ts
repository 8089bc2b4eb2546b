import type { Context } from '../context.ts';
import { Failure } from '../failures.ts';
import { idText } from '../ids.ts';
import { personAs } from './actors.ts';
import { digestOf, drawKey } from './keys.ts';
import { foldEmail, openInvitation } from './members.ts';
import type { Role } from './roles.ts';
import { couldBeSecret, drawSecret, drawSession, type Session, sessionOf } from './sessions.ts';

/** Somebody at a provider of OpenID Connect. Issuer and subject name a person for ever, an address for mail does not. */
export interface Subject {
  readonly issuer: string;
  readonly subject: string;
}

/** What a provider proves of somebody who has signed in there. */
export interface Claims extends Subject {
  readonly name: string;
  /** Only one that the provider has verified. */
  readonly email: string | null;
  readonly groups: readonly string[];
}

/** Whoever is in a group of the provider has a role in an account. */
export interface GroupRule {
  /** `*` for everybody whom the provider signs in. */
  readonly group: string;
  readonly account: string;
  readonly role: Role;
}

/** What binds the answer of a provider to the browser that began. */
export interface Binding {
  readonly state: string;
  readonly nonce: string;
  /** Of PKCE (RFC 7636). */
  readonly verifier: string;
}

/** The provider at which people sign in. */
export interface Provider {
  /** What people call it; null where the operator does not say. */
  readonly name: string | null;
  /** Whether people have no other way in. */
  readonly isOnly: boolean;
  readonly groups: readonly GroupRule[];
  /**
   * @param isAgain whether the provider is to ask the person, though they are signed in there
   * @returns where the browser goes @throws Failure OIDC_UNAVAILABLE
   */
  begin(returnTo: string, binding: Binding, isAgain: boolean): Promise<string>;
  /**
   * @param answer the query with which the browser came back
   * @param since when the person has to have proved who they are there, or later, ms since the epoch; undefined for whenever
   * @throws Failure OIDC_REFUSED, OIDC_UNAVAILABLE
   */
  finish(returnTo: string, answer: string, binding: Binding, since?: number): Promise<Claims>;
  /** @returns where a browser signs out of the provider too; null where it offers that not, or does not answer */
  signOut(returnTo: string): Promise<string | null>;
}

/** How long a person has to sign in at the provider, ms. */
export const signOnLifetimeMs = 10 * 60_000;

const prefix = 'lfo_';

/** What waits for an answer: of somebody who may be signed in there from before, or who has to prove it once more. */
const asks = { once: 'oidc', again: 'oidc again' } as const;

/** Derived, so that storage holds nothing by which an answer could be used. */
function bindingOf(token: string): Binding {
  const derive = (what: string): string =>
    digestOf(`${what} of ${token}`).toBase64({ alphabet: 'base64url', omitPadding: true });
  return { state: derive('state'), nonce: derive('nonce'), verifier: derive('verifier') };
}

/**
 * Begins to sign a browser in at the provider.
 * @param of memberId: who connects to the provider, and alone may answer; null for whoever comes. isAgain: whether this browser is
 *   signed in here already, so that who is at it has to prove it
 * @returns where it goes, and a secret that it keeps: who has only the answer gets nowhere with it
 * @throws Failure OIDC_UNAVAILABLE
 */
export async function beginSignOn(
  { writes, now, randomBytes }: Pick<Context, 'writes' | 'now' | 'randomBytes'>,
  provider: Provider,
  returnTo: string,
  {
    memberId = null,
    isAgain = false,
  }: { readonly memberId?: string | null; readonly isAgain?: boolean } = {},
): Promise<{ url: string; token: string }> {
  const token = drawSecret(prefix, randomBytes);
  const url = await provider.begin(returnTo, bindingOf(token), isAgain);
  const expiresAt = now() + signOnLifetimeMs;
  const data = isAgain ? asks.again : asks.once;
  await writes.createChallenge({ digest: digestOf(token), memberId, data, expiresAt });
  return { url, token };
}

export interface SignOn {
  readonly token: string;
  readonly answer: string;
  /** The secret of an invitation that the person accepts by this. */
  readonly invitation?: string | undefined;
  /** Whether the browser is signed in here already: then it counts only if the provider has asked once more. */
  readonly isAgain: boolean;
  /** As `startSession` has it. */
  readonly agent: string;
}

/**
 * Whom the provider proves, by the answer to what was begun for this person, or for nobody.
 * @throws Failure OIDC_REFUSED, OIDC_UNAVAILABLE
 */
export async function proveSubject(
  { writes, now }: Pick<Context, 'writes' | 'now'>,
  provider: Provider,
  returnTo: string,
  { token, answer, isAgain = false }: Pick<SignOn, 'token' | 'answer'> & Partial<Pick<SignOn, 'isAgain'>>,
  memberId: string | null,
): Promise<Claims> {
  const asked = couldBeSecret(prefix, token) ? await writes.takeChallenge(digestOf(token), now()) : undefined;
  const isProvedAgain = asked?.data === asks.again;
  const isAsked = isProvedAgain || (asked?.data === asks.once && !isAgain);
  if (asked === undefined || !isAsked || asked.memberId !== memberId) throw new Failure('OIDC_REFUSED');
  const since = isProvedAgain ? asked.expiresAt - signOnLifetimeMs : undefined;
  return provider.finish(returnTo, answer, bindingOf(token), since);
}

/**
 * Signs in whom the provider proves, and makes them a member where an invitation or a group says so.
 * @throws Failure OIDC_REFUSED, OIDC_NO_ACCESS, OIDC_UNAVAILABLE, INVITATION_NOT_FOUND, ACCOUNT_SUSPENDED
 */
export async function signOn(
  context: Context,
  provider: Provider,
  returnTo: string,
  { token, answer, invitation, isAgain, agent }: SignOn,
): Promise<{ token: string; session: Session }> {
  const { writes, now } = context;
  const claims = await proveSubject(context, provider, returnTo, { token, answer, isAgain }, null);
  if (invitation !== undefined) return acceptAs(context, claims, invitation, agent);
  const known = await context.storage.identities(claims);
  const granted = grantOf(provider.groups, claims.groups);
  const identity = known.find(({ key, isByGroup }) =>
    granted === undefined ? !isByGroup : key.account === granted.account,
  );
  if (identity !== undefined) {
    const { key } = identity;
    if (key.accountSuspended) throw new Failure('ACCOUNT_SUSPENDED');
    const start = identity.isHelped ? ('helped' as const) : undefined;
    const of = { accountId: key.accountId, keyId: key.id, agent, createdAt: now(), start };
    const { token: cookie, row } = drawSession(of, context.randomBytes);
    const use = { role: granted?.role, email: claims.email, at: now() };
    const author = personAs(key.member?.id ?? null, key.name, now());
    const current = await context.storage
      .writesBy(author)
      .useIdentity({ ...claims, accountId: key.accountId }, use, row);
    if (current === undefined) throw new Failure('OIDC_REFUSED');
    return { token: cookie, session: sessionOf(row, current) };
  }
  if (granted !== undefined) return joinByGroup(context, claims, granted, agent);
  // Who is in no group any more is out, wherever they are signed in.
  for (const { key } of known) await writes.endSessions(key.accountId, '', key.id);
  throw new Failure('OIDC_NO_ACCESS');
}

/** The account of the first rule that fits, with the first role of it that fits. */
function grantOf(rules: readonly GroupRule[], groups: readonly string[]): GroupRule | undefined {
  return rules.find(({ group }) => group === '*' || groups.includes(group));
}

/** A person that is about to be: the key with which they act, and their first session. */
function drawMember({ now, randomBytes }: Context, name: string, agent: string) {
  // Its secret is drawn and forgotten: no token is this key's.
  const { id: keyId, token } = drawKey(randomBytes);
  const createdAt = now();
  const member = { id: idText(randomBytes(16)), keyId, digest: digestOf(token), name, createdAt };
  const sessionIn = (accountId: number) => drawSession({ accountId, keyId, agent, createdAt }, randomBytes);
  return { member, sessionIn };
}

function writesAs({ storage, now }: Context, { id, name }: { readonly id: string; readonly name: string }) {
  return storage.writesBy(personAs(id, name, now()));
}

async function acceptAs(context: Context, claims: Claims, invitation: string, agent: string) {
  const { accountId, email } = await openInvitation(context, invitation);
  // An address that is not verified is nobody's.
  if (email !== null && (claims.email === null || foldEmail(email) !== foldEmail(claims.email)))
    throw new Failure(
      'OIDC_REFUSED',
      'This invitation is for another email address than the one that your provider has verified.',
    );
  if ((await context.storage.identities(claims)).some(({ key }) => key.accountId === accountId))
    throw new Failure('OIDC_REFUSED', 'You are in this account already: sign in without the invitation.');
  const { member, sessionIn } = drawMember(context, claims.name, agent);
  const { token, row } = sessionIn(accountId);
  const key = await writesAs(context, member).acceptInvitation(digestOf(invitation), member, row, claims);
  if (key === undefined) throw new Failure('INVITATION_NOT_FOUND');
  return { token, session: sessionOf(row, key) };
}

async function joinByGroup(context: Context, claims: Claims, granted: GroupRule, agent: string) {
  const account = await context.storage.accountByName(granted.account);
  if (account === undefined) throw new Failure('OIDC_NO_ACCESS');
  if (account.suspendedAt !== null) throw new Failure('ACCOUNT_SUSPENDED');
  const { member, sessionIn } = drawMember(context, claims.name, agent);
  const { token, row } = sessionIn(account.id);
  const key = await writesAs(context, member).joinByGroup(claims, { ...member, role: granted.role }, row);
  return { token, session: sessionOf(row, key) };
}
