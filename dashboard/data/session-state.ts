import { computed, signal } from '@preact/signals';
import type { DescribeSignInLinkResult, GetSessionResult, MeResult } from '../../src/client/client.ts';

/**
 * `asking` initially; `offered` while a sign-in link waits for a click; `gone` when the session has ended: the page
 * stays, with sign-in over it.
 */
export const session = signal<'asking' | 'offered' | 'here' | 'none' | 'gone' | 'unreachable'>('asking');

/** User, scopes and account usage of the session. */
export const me = signal<MeResult | undefined>(undefined);

export function sessionEnded(): void {
  session.value = session.peek() === 'here' || session.peek() === 'gone' ? 'gone' : 'none';
}

/** Callback of the open dialog that asks the user to sign in again; undefined while none is open. */
export const signingInAgain = signal<((isDone: boolean) => void) | undefined>(undefined);

/** Asks the user to sign in again, for actions that need a recent sign-in. @returns whether they did */
export async function signInAgain(): Promise<boolean> {
  const isDone = await new Promise<boolean>((resolve) => (signingInAgain.value = resolve));
  signingInAgain.value = undefined;
  return isDone;
}

/** Returns true if the session has a scope; also while the scopes are unknown, so that nothing is hidden. */
export function may(scope: string): boolean {
  return me.value === undefined || me.value.scopes.includes(scope);
}

/** Whether the session may change links. */
export const mayWrite = computed(() => may('links:write'));

/** Base of short URLs, `https://go.example.com/`. */
export function shortBase(): string {
  return `${(baseUrl.value ?? location.origin).replace(/\/$/, '')}/`;
}

export type SignedIn = GetSessionResult;
export const serverVersion = signal('');

/** The sign-in link in the URL, while {@link session} is `offered`. */
export const offeredLink = signal<(DescribeSignInLinkResult & { readonly token: string }) | undefined>(
  undefined,
);

/** Error of a sign-in link. */
export const loginFault = signal<unknown>(undefined);

/** The server's base of short URLs, once it is known. */
export const baseUrl = signal<string | undefined>(undefined);
