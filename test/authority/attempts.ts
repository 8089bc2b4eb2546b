import type { World } from '../model/world.ts';
import { type Answer, ask } from '../support/http/ask.ts';
import {
  type Credential,
  ceilingOf,
  type Holder,
  holderOf,
  isFresh,
  isKey,
  type Key,
  type Member,
  type Session,
  type State,
  scopesNow,
} from './reference.ts';

/** An account that exists in both the service and the reference, with the log of actions. */
export interface Run {
  readonly world: World;
  readonly state: State;
  readonly rescue: Key;
  /** Actions performed so far, one sentence per action. */
  readonly log: string[];
}

/** Random numbers that a step uses to select existing records when it runs. */
export interface Numbers {
  readonly by: number;
  readonly on: number;
  readonly how: number;
}

/** An action that an actor attempts, and whether it is allowed. */
export interface Attempt {
  readonly sentence: string;
  readonly isAllowed: boolean;
  send(): Promise<Answer>;
  /** Updates the reference after the service has performed the action. */
  // biome-ignore lint/suspicious/noExplicitAny: responses are checked at run time
  record?(data: any, answer: Answer): void;
}

export type TakeAct = (run: Run, actor: Credential, numbers: Numbers) => Attempt | undefined;
export const never = Number.POSITIVE_INFINITY;

// biome-ignore lint/suspicious/noExplicitAny: responses are checked at run time
export function parsed(text: string): any {
  return text === '' ? undefined : JSON.parse(text);
}

export function send(world: World, actor: Credential, method: string, path: string, body?: unknown) {
  const headers = actor.kind === 'session' ? { cookie: actor.cookie, 'sec-fetch-site': 'same-origin' } : {};
  const key = actor.kind === 'key' ? actor.token : undefined;
  return ask({ port: world.port() }, { method, path: `/api/v1${path}`, key, headers, body });
}

/** Sends a request as a signed-out page would. */
export function open(world: World, path: string, body?: unknown, key?: string) {
  const headers = { 'sec-fetch-site': 'same-origin' };
  return ask({ port: world.port() }, { method: 'POST', path: `/api/v1${path}`, key, headers, body });
}

export function describe(now: number, actor: Credential): string {
  const holder = holderOf(actor);
  const fresh = actor.kind === 'key' || isFresh(now, actor) ? '' : ', not fresh';
  const limit = ceilingOf(holder) ?? 'unbounded';
  return `${actor.name} (${limit}${isKey(holder) ? `, ${scopesNow(holder).length} scopes` : ''}${fresh})`;
}

/** Returns the element at index `n`, counted from the end of a list: 0 is the newest element. */
export function newest<T>(list: readonly T[], n: number): T | undefined {
  return list.at(-1 - (n % Math.max(1, list.length)));
}
export const present = ({ members }: State): Member[] => members.filter(({ hasLeft }) => !hasLeft);
export const keysIn = ({ credentials }: State): Key[] => credentials.filter((one) => one.kind === 'key');
export const sessionsIn = ({ credentials }: State): Session[] =>
  credentials.filter((one) => one.kind === 'session');

/**
 * Returns the confirmation time for a session that a link or invitation started. `maker` created the link or
 * invitation. A key is confirmed by each request, so the time is the current time. A member's session does not confirm
 * anybody (null).
 */
export function proofOf(now: number, maker: Credential): number | null {
  if (maker.kind === 'key') return now;
  return isKey(maker.holder) ? maker.provedAt : null;
}

/** Adds a session to the reference model, from the response that started it. */
export function begin(
  { state }: Run,
  holder: Holder,
  { id, headers }: { id: string; headers: Answer['headers'] },
  from: Pick<Session, 'provedAt' | 'isPlanted' | 'isRenewed'>,
): void {
  const name = `session ${state.credentials.length} of ${holder.name}`;
  const cookie = String(headers['set-cookie']).split(';')[0] ?? '';
  const at = {
    beganAt: state.now,
    lastUsedAt: state.now,
    expiresAt: isKey(holder) ? holder.expiresAt : never,
  };
  state.credentials.push({ kind: 'session', hasEnded: false, name, id, cookie, holder, ...at, ...from });
}

// biome-ignore lint/suspicious/noExplicitAny: responses are checked at run time
export function keep({ state }: Run, data: any, of: Pick<Key, 'given' | 'ceiling' | 'owner'>): void {
  const name = `key ${state.credentials.length}${of.owner === null ? '' : ` of ${of.owner.name}`}`;
  const expiresAt = data.expiresAt === null ? never : Date.parse(data.expiresAt);
  const { id, key: token } = data;
  const key = { kind: 'key', hasEnded: false, id, token, name, expiresAt } as const;
  state.credentials.push({ ...key, isReplaced: false, ...of });
}

/** Returns an attempt that runs an operator action on the server. It always succeeds. */
export function beside(sentence: string, work: () => Promise<unknown>, record: () => void): Attempt {
  const send = async () => {
    await work();
    return { status: 200, headers: {}, rawHeaders: [], text: '' };
  };
  return { sentence, isAllowed: true, send, record };
}
