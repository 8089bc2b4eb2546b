import { ApiError, LinkfoldError, Unreachable } from '../../src/client/client.ts';
import { api } from './client.ts';
import { forgetGroups, loadGroups } from './groups.ts';
import { forgetLists, linksChanged } from './link-list.ts';
import { me, session } from './session-state.ts';
import { forgetDeeds } from './undo.ts';

/** Asks whose session this browser has, if any. */
export async function begin(): Promise<void> {
  try {
    me.value = await api.me();
    session.value = 'here';
  } catch (error) {
    const isRefusal = error instanceof LinkfoldError && error.status !== undefined && error.status < 500;
    if (session.peek() !== 'none') session.value = isRefusal ? 'none' : 'unreachable';
  }
}

/**
 * Trades a key for a session. The key goes to the server once and is kept nowhere here.
 * @throws ApiError when the key is not good, Unreachable when there is no answer
 */
export async function signIn(key: string): Promise<void> {
  const before = me.peek()?.account;
  const response = await fetch('/dashboard/session', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ key }),
  }).catch((error: unknown) => {
    throw new Unreachable('The server cannot be reached.', error);
  });
  if (!response.ok) {
    const { error = {} } = await response.json().catch(() => ({}));
    throw new ApiError(String(error.message ?? response.statusText), {
      status: response.status,
      code: String(error.code ?? 'UNEXPECTED_ANSWER'),
    });
  }
  me.value = await api.me();
  // The lists on the screen stay when it is the same account.
  if (before !== undefined && before !== me.value.account) forgetEverything();
  session.value = 'here';
  linksChanged();
  void loadGroups();
}

/** Ends the session of this browser. */
export async function signOut(): Promise<void> {
  await fetch('/dashboard/session', { method: 'DELETE' });
  forgetEverything();
  me.value = undefined;
  session.value = 'none';
}

function forgetEverything(): void {
  forgetLists();
  forgetGroups();
  forgetDeeds();
}
