import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { GetSignInWaysResult } from '../../src/client/client.ts';
import { base } from '../browser/location.ts';
import { Fault, useAsk } from '../components/ask.tsx';
import { Button } from '../components/button.tsx';
import { api } from '../data/client.ts';
import { t } from './texts.ts';

const ways = signal<GetSignInWaysResult>();

/** Sign-in methods of the server; undefined until known. */
export function useWays(): GetSignInWaysResult | undefined {
  useEffect(() => {
    if (ways.peek() !== undefined) return;
    api.getSignInWays().then(
      (found) => (ways.value = found),
      // If this request fails, offer sign-in with a key.
      () => (ways.value = { singleSignOn: null, isOnly: false, mail: false }),
    );
  }, []);
  return ways.value;
}

export const place = 'linkfold.signing-in';

/** State that this browser stores during a sign-in at the provider; a response is valid only together with it. */
export interface Waiting {
  readonly token: string;
  /** Secret of the invitation to accept. */
  readonly invitation?: string | undefined;
  /** Whether to connect the signed-in user to the identity. */
  readonly connects?: true;
  /** URL at which to continue after signing in. */
  readonly from: string;
}

/** Redirects to the provider, and returns to the current page. */
export function leaveFor(
  begun: { readonly url: string; readonly token: string },
  waiting: Partial<Pick<Waiting, 'connects' | 'invitation'>>,
): void {
  const from = waiting.invitation === undefined ? location.pathname + location.search : base;
  localStorage.setItem(place, JSON.stringify({ token: begun.token, from, ...waiting } satisfies Waiting));
  location.assign(begun.url);
}

/** Button for the provider; hidden if there is none. */
export function SignOnButton({ invitation }: { readonly invitation?: string }) {
  const { isBusy, fault, ask } = useAsk();
  const provider = useWays()?.singleSignOn;
  if (!provider) return null;
  const leave = async () => leaveFor(await api.beginSingleSignOn(), { invitation });
  const say = invitation === undefined ? t.signOn.signIn : t.signOn.join;
  return (
    <div class="sign-on">
      <Button kind="primary" size="large" class="wide" isBusy={isBusy} onClick={() => void ask(leave)}>
        {say(provider.name)}
      </Button>
      <Fault text={fault} />
    </div>
  );
}
