import type { Context } from '../context.ts';
import { Failure } from '../failures.ts';
import type { RecordFields, RecordOf } from '../record-fields.ts';
import { type By, requireNewSession, requireRecentAuth } from './authority.ts';
import { memberRequired } from './keys.ts';
import { beginSignOn, type Provider, proveSubject } from './single-sign-on.ts';

/** Fields of a member's identity. */
export const identityFields = {
  issuer: { kind: 'text', about: 'Issuer URL of the provider.', example: 'https://id.example.com' },
  subject: { kind: 'text', isInternal: true },
  isByGroup: { kind: 'flag', about: 'Whether the member’s role comes from a group at the provider.' },
  createdAt: { kind: 'time', about: 'When the identity was connected.', example: '2027-03-01T08:00:00.000Z' },
  lastUsedAt: {
    kind: 'time',
    about: 'When the identity last signed in.',
    example: '2027-03-01T08:00:00.000Z',
  },
} as const satisfies RecordFields;
export type MemberIdentity = RecordOf<typeof identityFields>;

/**
 * Returns the id of the signed-in member.
 * @throws Failure INSUFFICIENT_SCOPE unless the key is a member's internal key
 */
export function memberIdOf({ key: { member } }: By): string {
  if (member?.isSelf !== true) throw memberRequired();
  return member.id;
}

/** Starts linking an identity to a signed-in member. Like `beginSignOn`, but only this member can complete it. */
export async function beginConnecting(context: Context, provider: Provider, returnTo: string, by: By) {
  const memberId = memberIdOf(by);
  requireNewSession(by, context.now());
  return beginSignOn(context, provider, returnTo, { memberId });
}

/**
 * Links a verified identity to a member, who can then sign in with it.
 * @throws Failure OIDC_REFUSED, also when another member has this identity or this member has a different identity;
 * OIDC_UNAVAILABLE
 */
export async function connect(
  context: Context,
  provider: Provider,
  returnTo: string,
  by: By,
  given: { readonly token: string; readonly answer: string },
): Promise<MemberIdentity> {
  const memberId = memberIdOf(by);
  const { issuer, subject } = await proveSubject(context, provider, returnTo, given, memberId);
  const at = context.now();
  const { session } = by;
  const isHelped = session?.start === 'helped';
  const of = { memberId, accountId: by.key.accountId, at, isHelped, sessionId: session?.id };
  if (!(await context.writes.connectIdentity({ issuer, subject }, of)))
    throw new Failure(
      'OIDC_REFUSED',
      'The identity could not be connected: you already have an identity at this provider, or another member has this identity.',
    );
  return { issuer, subject, isByGroup: false, createdAt: at, lastUsedAt: at };
}

/**
 * Unlinks a member's identities. Does nothing if the member has none.
 * @throws Failure REAUTHENTICATION_REQUIRED; OIDC_ONLY when members can sign in only through the provider; OIDC_REFUSED
 * for a membership that a group rule created, because the next sign-in would create a new member
 */
export async function disconnect(context: Context, provider: Provider | undefined, by: By): Promise<void> {
  const memberId = memberIdOf(by);
  requireRecentAuth(by, context.now());
  if (provider?.isOnly) throw new Failure('OIDC_ONLY');
  if ((await context.storage.identitiesOf(memberId)).some(({ isByGroup }) => isByGroup))
    throw new Failure(
      'OIDC_REFUSED',
      'You cannot disconnect the identity, because you have access through a group at the provider: your next sign-in would create a new member.',
    );
  await context.writes.disconnectIdentities(by.key.accountId, memberId);
}
