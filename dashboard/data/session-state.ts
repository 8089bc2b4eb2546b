import { computed, signal } from '@preact/signals';
import type { DescribeSignInLinkResult, GetSessionResult, MeResult } from '../../src/client/client.ts';

/**
 * Session state. `asking` is the initial state. `offered` means that a sign-in link awaits confirmation. `gone` means
 * that the session has ended; the sign-in dialog then covers the current page.
 */
export const session = signal<'asking' | 'offered' | 'here' | 'none' | 'gone' | 'unreachable'>('asking');

/** The session's user, scopes and account usage. */
export const me = signal<MeResult | undefined>(undefined);

export function sessionEnded(): void {
  session.value = session.peek() === 'here' || session.peek() === 'gone' ? 'gone' : 'none';
}

/** Callback for the dialog that asks the user to sign in again. Undefined while the dialog is closed. */
export const signingInAgain = signal<((isDone: boolean) => void) | undefined>(undefined);

/** Asks the user to sign in again, for actions that need a recent sign-in. @returns true if the user signed in */
export async function signInAgain(): Promise<boolean> {
  const isDone = await new Promise<boolean>((resolve) => (signingInAgain.value = resolve));
  signingInAgain.value = undefined;
  return isDone;
}

/**
 * Returns true if the session has a scope. Also returns true while the scopes are unknown, so that nothing is hidden.
 */
export function may(scope: string): boolean {
  return me.value === undefined || me.value.scopes.includes(scope);
}

/** Whether the session may change links. */
export const mayWrite = computed(() => may('links:write'));

/** Returns the base URL of short links, such as `https://go.example.com/`. */
export function shortBase(): string {
  return `${(baseUrl.value ?? location.origin).replace(/\/$/, '')}/`;
}

export type SignedIn = GetSessionResult;
export const serverVersion = signal('');

/** The sign-in link in the URL. Set while {@link session} is `offered`. */
export const offeredLink = signal<(DescribeSignInLinkResult & { readonly token: string }) | undefined>(
  undefined,
);

/** Error from signing in with a sign-in link. */
export const loginFault = signal<unknown>(undefined);

/** Base URL of the server's short links. Undefined until loaded. */
export const baseUrl = signal<string | undefined>(undefined);
