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

/** Loads this browser's session, if any; offers the sign-in link in the URL first. */
export async function begin(): Promise<void> {
  session.value = 'asking';
  // Another tab has switched to another account, and with it the shared cookie.
  addEventListener('storage', ({ key, newValue }) => {
    const was = me.peek();
    if (key === sessionPlace && newValue !== null && was && newValue !== whoIs(was)) location.reload();
  });
  const token = location.hash.slice(1);
  if (location.pathname === '/dashboard/login') {
    // The token must not stay in the URL or the history.
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
 * Returns false if there is certainly no session. Scripts cannot see the cookie, so its existence is recorded in
 * storage, to avoid a rejected request in a browser that never signed in.
 */
function mayHaveSession(): boolean {
  try {
    return localStorage.getItem(sessionPlace) !== null;
  } catch {
    return true; // storage is disabled
  }
}

/** Returns the id of a session's member or key, with the account. */
function whoIs({ account, key, person }: MeResult): string {
  return `${person?.id ?? key.id} ${account}`;
}

/** Records whose session the cookie is for, since scripts cannot see it. */
export function noteSession(of: MeResult | undefined): void {
  try {
    if (of !== undefined) localStorage.setItem(sessionPlace, whoIs(of));
    else localStorage.removeItem(sessionPlace);
  } catch {
    // Without storage, every page load requests the session.
  }
}

/**
 * Offers to sign in with a link. Signs in only after a click: any website could open this page with a sign-in link of
 * its own (login CSRF).
 * @returns whether the link is valid
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

/** Signs in with a link. @throws LinkfoldError if it was used meanwhile, or there is no response */
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
 * Exchanges a key for a session. The key is sent to the server once, and not stored in the browser.
 * @throws LinkfoldError if the key is invalid, or there is no response
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

/** Continues with a new session. @param before the account shown so far */
export async function arrive(before: string | undefined): Promise<void> {
  const signedIn = await api.getSession();
  const was = me.peek();
  // Pending actions must not run as somebody else.
  signingInAgain.peek()?.(was !== undefined && whoIs(signedIn) === whoIs(was));
  // The screen stays if the account is the same.
  if (before !== undefined && before !== signedIn.account) forgetEverything();
  arrived(signedIn);
  void changed();
}

/** Joins an account with an invitation's secret; signs this browser in as the new member. */
export async function join(token: string, name: string): Promise<void> {
  await api.acceptInvitation({ token, name });
  noteSession(await api.getSession());
}

/** Makes a user who is signed in with a key an owner of the account: invites and joins in one step. */
export async function becomeOwner(name: string): Promise<void> {
  const { url } = await api.createInvitation({ role: 'owner' });
  await join(new URL(url).hash.slice(1), name);
  arrived(await api.getSession());
}

/** Switches to another account of this browser, starting at its home screen. */
export async function switchTo(sessionId: string): Promise<void> {
  await api.switchAccount({ sessionId });
  noteSession(await api.getSession());
  location.assign(base);
}

/** Ends the sessions of this browser. */
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
