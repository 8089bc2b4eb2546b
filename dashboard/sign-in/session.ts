import { createFunctions, LinkfoldError, type MeResult } from '../../src/client/client.ts';
import { base, go } from '../browser/location.ts';
import { api } from '../data/client.ts';
import { forgetGroups } from '../data/groups.ts';
import { changed } from '../data/links/changes.ts';
import { forgetLists } from '../data/links/list.ts';
import { forgetViews } from '../data/links/views.ts';
import {
  baseUrl,
  loginFault,
  me,
  offeredLink,
  type SignedIn,
  serverVersion,
  session,
  signingInAgain,
} from '../data/session-state.ts';
import { clearUndo } from '../data/undo.ts';

/** Loads this browser's session, if any. If the URL contains a sign-in link, first offers to sign in with that link. */
export async function begin(): Promise<void> {
  session.value = 'asking';
  // Reload if another tab has switched to another account, because all tabs share the cookie.
  addEventListener('storage', ({ key, newValue }) => {
    const was = me.peek();
    if (key === sessionPlace && newValue !== null && was && newValue !== whoIs(was)) location.reload();
  });
  const token = location.hash.slice(1);
  if (location.pathname === '/dashboard/login') {
    // Remove the token from the URL and the browser history.
    go(base, { replace: true });
    if (token !== '' && (await offerSignIn(token))) return;
  }
  if (!mayHaveSession()) {
    session.value = 'none';
    return;
  }
  try {
    arrived(await api.getSession());
  } catch (error) {
    if (isRefusal(error)) noteSession(undefined);
    session.value = isRefusal(error) ? 'none' : 'unreachable';
  }
}

const sessionPlace = 'linkfold.signed-in';

/**
 * Returns false if there is certainly no session. Scripts cannot read the cookie, so local storage records that the
 * cookie exists. The check avoids a rejected request in a browser that has never signed in.
 */
function mayHaveSession(): boolean {
  try {
    return localStorage.getItem(sessionPlace) !== null;
  } catch {
    return true; // storage is disabled
  }
}

/** Returns a string that identifies a session's account, and the member or key that is signed in. */
function whoIs({ account, key, person }: MeResult): string {
  return `${person?.id ?? key.id} ${account}`;
}

/** Records in local storage which member or key is signed in, because scripts cannot read the session cookie. */
export function noteSession(of: MeResult | undefined): void {
  try {
    if (of !== undefined) localStorage.setItem(sessionPlace, whoIs(of));
    else localStorage.removeItem(sessionPlace);
  } catch {
    // If storage is disabled, every page load requests the session.
  }
}

/**
 * Offers to sign in with a link. Waits for a click, because any website could open this page with its own sign-in link
 * (login CSRF).
 * @returns true if the link is valid
 */
async function offerSignIn(token: string): Promise<boolean> {
  try {
    offeredLink.value = { token, ...(await api.describeSignInLink({ token })) };
    session.value = 'offered';
    return true;
  } catch (error) {
    loginFault.value = error;
    return false;
  }
}

/** Signs in with a link. @throws LinkfoldError if the link has already been used, or if there is no response */
export async function redeemSignInLink(token: string): Promise<void> {
  await createFunctions({ baseUrl: location.origin, apiKey: token, retries: 1 }).createSession();
  const signedIn = await api.getSession();
  noteSession(signedIn);
  location.replace(signedIn.usage.links === 0 ? '/dashboard/first' : base);
}

function isRefusal(error: unknown): boolean {
  return error instanceof LinkfoldError && error.status !== undefined && error.status < 500;
}

/**
 * Exchanges a key for a session. The key is sent to the server once and is not stored in the browser.
 * @throws LinkfoldError if the key is invalid, or if there is no response
 */
export async function signIn(key: string): Promise<void> {
  const before = me.peek()?.account;
  await createFunctions({ baseUrl: location.origin, apiKey: key, retries: 1 }).createSession();
  await arrive(before);
}

function arrived(signedIn: SignedIn): void {
  noteSession(signedIn);
  me.value = signedIn;
  baseUrl.value = signedIn.baseUrl;
  serverVersion.value = signedIn.version;
  loginFault.value = undefined;
  session.value = 'here';
}

/** Switches the dashboard to a new session. @param before id of the previously shown account */
export async function arrive(before: string | undefined): Promise<void> {
  const signedIn = await api.getSession();
  const was = me.peek();
  // Pending actions must not run as a different user.
  signingInAgain.peek()?.(was !== undefined && whoIs(signedIn) === whoIs(was));
  // Keep the loaded data if the account is the same.
  if (before !== undefined && before !== signedIn.account) forgetEverything();
  arrived(signedIn);
  void changed();
}

/** Joins an account with an invitation's secret, and signs this browser in as the new member. */
export async function join(token: string, name: string): Promise<void> {
  await api.acceptInvitation({ token, name });
  noteSession(await api.getSession());
}

/** Makes a user who is signed in with a key an account owner, by creating and accepting an invitation. */
export async function becomeOwner(name: string): Promise<void> {
  const { url } = await api.createInvitation({ role: 'owner' });
  await join(new URL(url).hash.slice(1), name);
  arrived(await api.getSession());
}

/** Switches to another account that this browser is signed in to, and opens its home screen. */
export async function switchTo(sessionId: string): Promise<void> {
  await api.switchAccount({ sessionId });
  noteSession(await api.getSession());
  location.assign(base);
}

/** Ends this browser's sessions. */
export async function signOut(): Promise<void> {
  await api.endSession();
  noteSession(undefined);
  forgetEverything();
  me.value = undefined;
  session.value = 'none';
}

function forgetEverything(): void {
  forgetLists();
  forgetGroups();
  forgetViews();
  clearUndo();
}
