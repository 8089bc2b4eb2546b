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

/** Asks whose session this browser has, if any; offers the sign-in link in the address first. */
export async function begin(): Promise<void> {
  session.value = 'asking';
  // Another tab went on as somebody else, and so does the cookie of this one.
  addEventListener('storage', ({ key, newValue }) => {
    const was = me.peek();
    if (key === sessionPlace && newValue !== null && was && newValue !== whoIs(was)) location.reload();
  });
  const token = location.hash.slice(1);
  if (location.pathname === '/dashboard/login') {
    // It must not stay in the address or in the history.
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
 * Whether it makes sense to ask whose session this is. No script can see the cookie; that there is one is noted beside it, so
 * that a browser which never signed in is not told of a refusal.
 */
function mayHaveSession(): boolean {
  try {
    return localStorage.getItem(sessionPlace) !== null;
  } catch {
    return true; // nothing can be noted
  }
}

/** Who acts, in a word. */
function whoIs({ account, key, person }: MeResult): string {
  return `${person?.id ?? key.id} ${account}`;
}

/** Notes beside the cookie, which no script sees, whose it is, where there is one. */
export function noteSession(of: MeResult | undefined): void {
  try {
    if (of !== undefined) localStorage.setItem(sessionPlace, whoIs(of));
    else localStorage.removeItem(sessionPlace);
  } catch {
    // Then it is asked each time.
  }
}

/**
 * Offers to sign in by a link. Nothing happens before the reader clicks: any page can lead a browser here, with a link of its own.
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

/** Signs in by a link. @throws LinkfoldError when it was used meanwhile, or there is no answer */
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
 * Trades a key for a session. The key goes to the server once and is kept nowhere here.
 * @throws LinkfoldError when the key is not good, or there is no answer
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

/** Goes on with the session that this browser was just given. @param before the account that was shown till then */
export async function arrive(before: string | undefined): Promise<void> {
  const signedIn = await api.getSession();
  const was = me.peek();
  // What was asked for is not done as somebody else.
  signingInAgain.peek()?.(was !== undefined && whoIs(signedIn) === whoIs(was));
  // What is on the screen stays when it is the same account.
  if (before !== undefined && before !== signedIn.account) forgetEverything();
  arrived(signedIn);
  void changed();
}

/** Joins an account by the secret of an invitation; this browser is the person's from then on. */
export async function join(token: string, name: string): Promise<void> {
  await api.acceptInvitation({ token, name });
  noteSession(await api.getSession());
}

/** Makes whoever is signed in by a key a person, the owner of the account: invited and joined in one go. */
export async function becomeOwner(name: string): Promise<void> {
  const { url } = await api.createInvitation({ role: 'owner' });
  await join(new URL(url).hash.slice(1), name);
  arrived(await api.getSession());
}

/** Goes on in another account of this browser, from its first screen. */
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
