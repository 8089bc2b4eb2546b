import { computed, signal } from '@preact/signals';
import type { DescribeSignInLinkResult, GetSessionResult, MeResult } from '../../src/client/client.ts';

/** `asking` at first; `offered` while a sign-in link waits for a click; `gone` when a session that was there has ended: the page stays, and sign-in lies over it. */
export const session = signal<'asking' | 'offered' | 'here' | 'none' | 'gone' | 'unreachable'>('asking');

/** Whose session it is, what it may do, and what the account uses. */
export const me = signal<MeResult | undefined>(undefined);

export function sessionEnded(): void {
  session.value = session.peek() === 'here' || session.peek() === 'gone' ? 'gone' : 'none';
}

/** Answers whether the reader has signed in again, as whom they were; undefined while nothing asks for it. */
export const signingInAgain = signal<((isDone: boolean) => void) | undefined>(undefined);

/** Has the reader sign in again, for what a session may do shortly after its beginning only. @returns whether they did */
export async function signInAgain(): Promise<boolean> {
  const isDone = await new Promise<boolean>((resolve) => (signingInAgain.value = resolve));
  signingInAgain.value = undefined;
  return isDone;
}

/** Whether the session has a right; while it is not known, nothing is kept from the reader. */
export function may(scope: string): boolean {
  return me.value === undefined || me.value.scopes.includes(scope);
}

/** Whether links can be changed. */
export const mayWrite = computed(() => may('links:write'));

/** What short URLs begin with, `https://go.example.com/`. */
export function shortBase(): string {
  return `${(baseUrl.value ?? location.origin).replace(/\/$/, '')}/`;
}

export type SignedIn = GetSessionResult;
export const serverVersion = signal('');

/** The sign-in link in the address, while {@link session} is `offered`. */
export const offeredLink = signal<(DescribeSignInLinkResult & { readonly token: string }) | undefined>(
  undefined,
);

/** Why a one-time link did not sign in. */
export const loginFault = signal<unknown>(undefined);

/** The server's address for short URLs, once it is known. */
export const baseUrl = signal<string | undefined>(undefined);
