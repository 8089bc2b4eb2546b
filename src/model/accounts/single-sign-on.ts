import type { Context } from '../context.ts';
import { Failure } from '../failures.ts';
import { personAuthor } from './actors.ts';
import { digestOf } from './keys.ts';
import { createMember, foldEmail, openInvitation } from './members.ts';
import type { Role } from './roles.ts';
import { couldBeSecret, createSessionSecret, generateSecret, type Session, sessionOf } from './sessions.ts';

/** An OpenID Connect identity. Issuer and subject identify a person permanently, unlike an email address. */
export interface Subject {
  readonly issuer: string;
  readonly subject: string;
}

/** The verified claims of an ID token. */
export interface Claims extends Subject {
  readonly name: string;
  /** Email address; null unless the provider has verified it. */
  readonly email: string | null;
  readonly groups: readonly string[];
}

/** Maps a provider group to a role in an account. */
export interface GroupRule {
  /** Name of the group, or `*` for all of the provider's users. */
  readonly group: string;
  readonly account: string;
  readonly role: Role;
}

/** The secrets that bind the provider's response to the browser that started the sign-in. */
export interface Binding {
  readonly state: string;
  readonly nonce: string;
  /** The PKCE code verifier (RFC 7636). */
  readonly verifier: string;
}

/** The OpenID Connect provider. */
export interface Provider {
  /** Display name; null if not configured. */
  readonly name: string | null;
  /** Whether members can sign in only through this provider. */
  readonly isOnly: boolean;
  readonly groups: readonly GroupRule[];
  /**
   * Begins a sign-in.
   * @param isAgain forces the provider to re-authenticate the person
   * @returns the authorization URL
   * @throws Failure OIDC_UNAVAILABLE
   */
  begin(returnTo: string, binding: Binding, isAgain: boolean): Promise<string>;
  /**
   * Verifies the provider's response.
   * @param answer the query of the callback URL
   * @param since earliest allowed authentication time, ms since the epoch; undefined to allow any time
   * @throws Failure OIDC_REFUSED, OIDC_UNAVAILABLE
   */
  finish(returnTo: string, answer: string, binding: Binding, since?: number): Promise<Claims>;
  /** @returns the provider's logout URL; null if the provider has no logout URL or is unavailable */
  signOut(returnTo: string): Promise<string | null>;
}

/** How long a person has to sign in at the provider, in ms. */
export const signOnLifetimeMs = 10 * 60_000;

const prefix = 'lfo_';

/** Kinds of pending sign-ins: `once` accepts an existing provider session; `again` forces re-authentication. */
const signInKinds = { once: 'oidc', again: 'oidc again' } as const;

/**
 * Derives the binding from the token. Only the token's digest is stored, so an attacker who reads the database cannot
 * use a stolen response.
 */
function bindingOf(token: string): Binding {
  const derive = (what: string): string =>
    digestOf(`${what} of ${token}`).toBase64({ alphabet: 'base64url', omitPadding: true });
  return { state: derive('state'), nonce: derive('nonce'), verifier: derive('verifier') };
}

/**
 * Starts a sign-in at the provider.
 * @param options `memberId`: the member who links an identity; null for a sign-in. `isAgain`: whether this browser is
 * already signed in; if so, the provider must re-authenticate the person
 * @returns the authorization URL, and a secret for the browser. The provider's response is useless without the secret
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
  const token = generateSecret(prefix, randomBytes);
  const url = await provider.begin(returnTo, bindingOf(token), isAgain);
  const expiresAt = now() + signOnLifetimeMs;
  const data = isAgain ? signInKinds.again : signInKinds.once;
  await writes.createChallenge({ digest: digestOf(token), memberId, data, expiresAt });
  return { url, token };
}

export interface SignOn {
  readonly token: string;
  readonly answer: string;
  /** Token of the invitation that this sign-in accepts. */
  readonly invitation?: string | undefined;
  /** Whether the browser is already signed in. If so, the provider must re-authenticate the person. */
  readonly isAgain: boolean;
  /** Browser and operating system, as in `startSession`. */
  readonly agent: string;
}

/**
 * Verifies the provider's response.
 * @param memberId the member who began to link an identity; null for a sign-in
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
  const isProvedAgain = asked?.data === signInKinds.again;
  const isAsked = isProvedAgain || (asked?.data === signInKinds.once && !isAgain);
  if (asked === undefined || !isAsked || asked.memberId !== memberId) throw new Failure('OIDC_REFUSED');
  const since = isProvedAgain ? asked.expiresAt - signOnLifetimeMs : undefined;
  return provider.finish(returnTo, answer, bindingOf(token), since);
}

/**
 * Signs the person in and creates a membership if an invitation or a group rule allows it.
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
    const { token: cookie, row } = createSessionSecret(of, context.randomBytes);
    const use = { role: granted?.role, email: claims.email, at: now() };
    const author = personAuthor(key.member?.id ?? null, key.name, now());
    const current = await context.storage
      .writesBy(author)
      .useIdentity({ ...claims, accountId: key.accountId }, use, row);
    if (current === undefined) throw new Failure('OIDC_REFUSED');
    return { token: cookie, session: sessionOf(row, current) };
  }
  if (granted !== undefined) return joinByGroup(context, claims, granted, agent);
  // The person is no longer in any configured group, so their sessions must end too.
  for (const { key } of known) await writes.endSessions(key.accountId, '', key.id);
  throw new Failure('OIDC_NO_ACCESS');
}

/** Returns the first rule that matches one of the groups. */
function grantOf(rules: readonly GroupRule[], groups: readonly string[]): GroupRule | undefined {
  return rules.find(({ group }) => group === '*' || groups.includes(group));
}

async function acceptAs(context: Context, claims: Claims, invitation: string, agent: string) {
  const { accountId, email } = await openInvitation(context, invitation);
  // Requires a verified email address, because an unverified address does not identify a person.
  if (email !== null && (claims.email === null || foldEmail(email) !== foldEmail(claims.email)))
    throw new Failure(
      'OIDC_REFUSED',
      'This invitation is for a different email address. Sign in as the person with that address.',
    );
  if ((await context.storage.identities(claims)).some(({ key }) => key.accountId === accountId))
    throw new Failure(
      'OIDC_REFUSED',
      'You are already a member of this account. Sign in without the invitation.',
    );
  const { member, secret, row, writes } = createMember(context, accountId, claims.name, agent);
  const key = await writes.acceptInvitation(digestOf(invitation), member, row, claims);
  if (key === undefined) throw new Failure('INVITATION_NOT_FOUND');
  return { token: secret, session: sessionOf(row, key) };
}

async function joinByGroup(context: Context, claims: Claims, granted: GroupRule, agent: string) {
  const account = await context.storage.accountByName(granted.account);
  if (account === undefined) throw new Failure('OIDC_NO_ACCESS');
  if (account.suspendedAt !== null) throw new Failure('ACCOUNT_SUSPENDED');
  const { member, secret, row, writes } = createMember(context, account.id, claims.name, agent);
  const key = await writes.joinByGroup(claims, { ...member, role: granted.role }, row);
  return { token: secret, session: sessionOf(row, key) };
}
