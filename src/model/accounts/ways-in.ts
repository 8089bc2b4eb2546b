import type { Context } from '../context.ts';
import { Failure } from '../failures.ts';
import { type By, requireFresh, requireNew } from './authority.ts';
import { onlyForPeople } from './keys.ts';
import { beginSignOn, type Provider, proveSubject } from './single-sign-on.ts';

/** Who a member is at a provider. */
export interface OwnIdentity {
  readonly issuer: string;
  readonly subject: string;
  /** Whether a group of the provider decides what they may do here. */
  readonly isByGroup: boolean;
  readonly createdAt: number;
  /** When they signed in there last. */
  readonly lastUsedAt: number;
}

/** @throws Failure INSUFFICIENT_SCOPE for a key, which is nobody */
function personOf({ key: { member } }: By): string {
  if (member?.isSelf !== true) throw onlyForPeople();
  return member.id;
}

/** Who a person is at providers, the one last used first. */
export async function ownIdentities(
  { storage }: Pick<Context, 'storage'>,
  by: By,
): Promise<readonly OwnIdentity[]> {
  return storage.identitiesOf(personOf(by));
}

/** Begins to connect a person who is signed in to who they are at the provider. As `beginSignOn`, which it is for this person alone. */
export async function beginConnecting(context: Context, provider: Provider, returnTo: string, by: By) {
  const memberId = personOf(by);
  requireNew(by, context.now());
  return beginSignOn(context, provider, returnTo, { memberId });
}

/**
 * Connects a person to whom the provider proves: from then on that signs them in.
 * @throws Failure OIDC_REFUSED also when somebody in the account, or the person, is connected already; OIDC_UNAVAILABLE
 */
export async function connect(
  context: Context,
  provider: Provider,
  returnTo: string,
  by: By,
  given: { readonly token: string; readonly answer: string },
): Promise<OwnIdentity> {
  const memberId = personOf(by);
  const { issuer, subject } = await proveSubject(context, provider, returnTo, given, memberId);
  const at = context.now();
  const { session } = by;
  const isHelped = session?.start === 'helped';
  const of = { memberId, accountId: by.key.accountId, at, isHelped, sessionId: session?.id };
  if (!(await context.writes.connectIdentity({ issuer, subject }, of)))
    throw new Failure(
      'OIDC_REFUSED',
      'You are connected to this provider already, or somebody else in this account is whom it proves.',
    );
  return { issuer, subject, isByGroup: false, createdAt: at, lastUsedAt: at };
}

/**
 * Takes away that the provider signs a person in. Without any it does nothing.
 * @throws Failure REAUTHENTICATION_REQUIRED; OIDC_ONLY; OIDC_REFUSED where a group lets the person in, as somebody new next time
 */
export async function disconnect(context: Context, provider: Provider | undefined, by: By): Promise<void> {
  const memberId = personOf(by);
  requireFresh(by, context.now());
  if (provider?.isOnly) throw new Failure('OIDC_ONLY');
  if ((await context.storage.identitiesOf(memberId)).some(({ isByGroup }) => isByGroup))
    throw new Failure(
      'OIDC_REFUSED',
      'A group of your provider lets you in here: signing in there again would make you somebody new.',
    );
  await context.writes.disconnectIdentities(by.key.accountId, memberId);
}
