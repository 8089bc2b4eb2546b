/**
 * The rules of docs/team.md, implemented independently of src: who may do what to whom in an account, and what each
 * action revokes.
 */
export const roles = ['viewer', 'editor', 'admin', 'owner'] as const;
export type Role = (typeof roles)[number];

export interface Member {
  readonly id: string;
  readonly name: string;
  role: Role;
  readonly isRestricted: boolean;
  isOperator: boolean;
  hasLeft: boolean;
}

/** A credential, or something that grants one. */
interface Way {
  readonly name: string;
  expiresAt: number;
  hasEnded: boolean;
}

export interface Key extends Way {
  readonly kind: 'key';
  readonly id: string;
  readonly token: string;
  given: readonly string[];
  /** Role whose rights the key cannot exceed. Null if the key has no limit. */
  ceiling: Role | null;
  owner: Member | null;
  isReplaced: boolean;
}

/** The member or key behind a session or invitation. */
export type Holder = Member | Key;
export interface Session extends Way {
  readonly kind: 'session';
  readonly id: string;
  readonly cookie: string;
  readonly holder: Holder;
  readonly beganAt: number;
  /** Time at which the member's identity was confirmed. Null if it never was. */
  readonly provedAt: number | null;
  /** True if the session originates from a sign-in link that somebody else created. */
  readonly isPlanted: boolean;
  /** True if the session started with a sign-in link that the member created. */
  readonly isRenewed: boolean;
  lastUsedAt: number;
}
export type Credential = Key | Session;

export interface Invitation extends Way {
  readonly token: string;
  readonly role: Role;
  readonly isRestricted: boolean;
  readonly maker: Credential;
}
export interface SignInLink extends Way {
  readonly token: string;
  readonly member: Member;
  /** Null if the operator created the link. */
  readonly maker: Credential | null;
}
export interface Passkey extends Way {
  readonly member: Member;
  readonly isPlanted: boolean;
  readonly get: (challenge: string) => Record<string, unknown>;
}
/** An approved device authorization whose key has not been fetched yet. */
export interface Approval extends Way {
  readonly deviceCode: string;
  readonly member: Member;
  readonly role: Role;
}

export interface State {
  now: number;
  readonly members: Member[];
  readonly credentials: Credential[];
  readonly invitations: Invitation[];
  readonly links: SignInLink[];
  readonly passkeys: Passkey[];
  readonly approvals: Approval[];
}

export const basicScopes = ['links:read', 'links:write', 'analytics:read'];
const furtherScopes = ['keys:write', 'domains:write', 'people:write', 'audit:read', 'webhooks:write'];
export const allScopes = [...basicScopes, ...furtherScopes];
const scopesOf: Readonly<Record<Role, readonly string[]>> = {
  owner: allScopes,
  admin: allScopes,
  editor: basicScopes,
  viewer: ['links:read', 'analytics:read'],
};
export const minuteMs = 60_000;
const recentAuthMs = 15 * minuteMs;
const idleMs = 12 * 60 * minuteMs;
const rankOf = (role: Role): number => roles.indexOf(role);
/** Rank of operators, and of an unlimited key with all scopes. */
const highestRank = roles.length;

export const isKey = (holder: Holder): holder is Key => 'kind' in holder;
export const holderOf = (actor: Credential): Holder => (actor.kind === 'key' ? actor : actor.holder);
/** Returns the member whose role limits a session or key. */
export const personOf = (holder: Holder): Member | null => (isKey(holder) ? holder.owner : holder);
const expiryOf = (holder: Holder): number => (isKey(holder) ? holder.expiresAt : Number.POSITIVE_INFINITY);

/** Returns the lowest of several roles. Null means no limit. */
export const lowerOf = (...bounds: readonly (Role | null)[]): Role | null =>
  roles.find((role) => bounds.includes(role)) ?? null;

/** Returns the role that currently limits a session or key, or null if there is none. */
export function ceilingOf(holder: Holder): Role | null {
  return isKey(holder) ? lowerOf(holder.ceiling, holder.owner?.role ?? null) : holder.role;
}

export function scopesNow(holder: Holder): readonly string[] {
  const ceiling = ceilingOf(holder);
  const given = isKey(holder) ? holder.given : allScopes;
  return given.filter((scope) => ceiling === null || scopesOf[ceiling].includes(scope));
}

const isWithin = (scopes: readonly string[], others: readonly string[]): boolean =>
  scopes.every((scope) => others.includes(scope));

/** Returns the rank of a holder's role. An unlimited key has the rank of the highest role whose scopes it has. */
function rankNow(holder: Holder): number {
  const [ceiling, scopes] = [ceilingOf(holder), scopesNow(holder)];
  if (ceiling !== null) return rankOf(ceiling);
  if (isWithin(allScopes, scopes)) return highestRank;
  return roles.findLastIndex((role) => isWithin(scopesOf[role], scopes));
}

const isOpen = (now: number, { hasEnded, expiresAt }: Way): boolean => !hasEnded && expiresAt > now;

/** Returns true if a credential is accepted. */
export function isLive(now: number, credential: Credential): boolean {
  if (!isOpen(now, credential) || credential.kind === 'key') return isOpen(now, credential);
  const { holder, lastUsedAt } = credential;
  return now - lastUsedAt < idleMs && (isKey(holder) ? isOpen(now, holder) : !holder.hasLeft);
}

const has = (actor: Credential, ...scopes: readonly string[]): boolean =>
  isWithin(scopes, scopesNow(holderOf(actor)));

/**
 * Returns true if an actor's identity was confirmed within the last 15 minutes. Each request with a key confirms the
 * key.
 */
export function isFresh(now: number, actor: Credential): boolean {
  return actor.kind === 'key' || (actor.provedAt !== null && now - actor.provedAt <= recentAuthMs);
}

/** Returns true if a holder has all scopes of a role and at least its rank. Only owners may grant the owner role. */
function canGive(holder: Holder, role: Role): boolean {
  const isEnough = isWithin(['people:write', ...scopesOf[role]], scopesNow(holder));
  return isEnough && rankNow(holder) >= rankOf(role);
}

/** Returns true if an actor may change or remove a member, or create a sign-in link for the member. */
function canManage(now: number, actor: Credential, member: Member): boolean {
  const holder = holderOf(actor);
  return (
    canGive(holder, member.role) &&
    (!member.isOperator || personOf(holder) === member || rankNow(holder) === highestRank) &&
    (member.role !== 'owner' || isFresh(now, actor))
  );
}

/** Returns true if a target has neither a higher rank than an actor nor a scope that the actor lacks. */
function canActOn(actor: Credential, target: Holder): boolean {
  const by = holderOf(actor);
  const rank = !isKey(target) && target.isOperator ? highestRank : rankNow(target);
  return target === by || (isWithin(scopesNow(target), scopesNow(by)) && rank <= rankNow(by));
}

function isOnlyOwner({ members }: State, member: Member): boolean {
  const owners = members.filter((one) => one.role === 'owner' && !one.hasLeft && !one.isRestricted);
  return owners.length === 1 && owners[0] === member;
}
const keysOf = ({ credentials }: State, member: Member): Key[] =>
  credentials.filter((one) => one.kind === 'key').filter((key) => key.owner === member && !key.hasEnded);
const canBeRestricted = (role: Role): boolean => rankOf(role) <= rankOf('editor');

/** Functions that return whether an actor may perform an action now. */
export const may = {
  invite: ({ now }: State, actor: Credential, role: Role, isRestricted: boolean): boolean =>
    canGive(holderOf(actor), role) &&
    isFresh(now, actor) &&
    // A key with an expiry may not invite, because the invited member would remain after the key expires.
    expiryOf(holderOf(actor)) === Number.POSITIVE_INFINITY &&
    (!isRestricted || canBeRestricted(role)),

  accept({ now }: State, invitation: Invitation): boolean {
    const maker = holderOf(invitation.maker);
    const isThere = isKey(maker) ? isOpen(now, maker) : !maker.hasLeft;
    return isOpen(now, invitation) && isThere && canGive(maker, invitation.role);
  },

  changeRole(state: State, actor: Credential, member: Member, role: Role): boolean {
    if (!canManage(state.now, actor, member)) return false;
    if (role === member.role) return true;
    const isPossible = !member.isRestricted || canBeRestricted(role);
    return (
      canGive(holderOf(actor), role) && isFresh(state.now, actor) && isPossible && !isOnlyOwner(state, member)
    );
  },

  remove(state: State, actor: Credential, member: Member, keys: 'keep' | 'revoke' | undefined): boolean {
    return (
      canManage(state.now, actor, member) &&
      !isOnlyOwner(state, member) &&
      (keys !== undefined || keysOf(state, member).length === 0) &&
      (keys !== 'keep' || personOf(holderOf(actor)) !== member)
    );
  },

  createKey: ({ now }: State, actor: Credential, scopes: readonly string[], expiresAt: number): boolean =>
    has(actor, 'keys:write', ...scopes) &&
    expiresAt <= expiryOf(holderOf(actor)) &&
    (isWithin(scopes, basicScopes) || isFresh(now, actor)),

  rotate: ({ now }: State, actor: Credential, key: Key): boolean =>
    has(actor, 'keys:write', ...key.given) &&
    isOpen(now, key) &&
    !key.isReplaced &&
    key.expiresAt <= expiryOf(holderOf(actor)) &&
    canActOn(actor, key) &&
    (isWithin(key.given, basicScopes) || isFresh(now, actor)),

  revoke: ({ now }: State, actor: Credential, key: Key): boolean =>
    has(actor, 'keys:write') && isOpen(now, key) && canActOn(actor, key),

  endSession: (actor: Credential, { holder }: Session): boolean =>
    holder === holderOf(actor) || (has(actor, 'keys:write') && canActOn(actor, holder)),

  createLink: ({ now }: State, actor: Credential, member: Member): boolean =>
    canManage(now, actor, member) && isFresh(now, actor) && !member.isOperator,

  addPasskey: ({ now }: State, { beganAt, isRenewed }: Session): boolean =>
    !isRenewed && now - beganAt <= recentAuthMs,

  approve: ({ now }: State, session: Session, member: Member): boolean =>
    isFresh(now, session) && !member.isRestricted,

  /** Returns whether a sign-in link, a passkey or an approval can be used. */
  use: ({ now }: State, way: SignInLink | Passkey | Approval): boolean =>
    isOpen(now, way) && !way.member.hasLeft,
};

/** Ends a member's sessions, sign-in links and approvals, and the passkeys that somebody else may have added. */
function endWaysIn(state: State, member: Member): void {
  const passkeys = state.passkeys.filter(({ isPlanted }) => isPlanted);
  const sessions = state.credentials.filter((one) => one.kind === 'session' && one.holder === member);
  const others = [...passkeys, ...state.links, ...state.approvals].filter((way) => way.member === member);
  for (const way of [...sessions, ...others]) way.hasEnded = true;
}

/** Functions that apply the effects of actions to the reference. */
export const effects = {
  changeRole(state: State, member: Member, role: Role): void {
    const [before, after] = [rankOf(member.role), rankOf(role)];
    member.role = role;
    if (after > before) return endWaysIn(state, member);
    for (const one of state.credentials)
      if (after < before && one.kind === 'session' && one.holder === member) one.hasEnded = true;
  },

  becomeOperator(state: State, member: Member): void {
    member.isOperator = true;
    endWaysIn(state, member);
  },

  remove(state: State, member: Member, keys: 'keep' | 'revoke' | undefined, heir: Member | null): void {
    for (const invitation of state.invitations)
      if (personOf(holderOf(invitation.maker)) === member) invitation.hasEnded = true;
    for (const key of keysOf(state, member)) {
      key.hasEnded = keys === 'revoke';
      key.given = scopesNow(key);
      key.ceiling = ceilingOf(key);
      key.owner = heir;
    }
    member.hasLeft = true;
  },
};
