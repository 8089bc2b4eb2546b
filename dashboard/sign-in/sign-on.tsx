import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { GetSignInWaysResult } from '../../src/client/client.ts';
import { base } from '../browser/location.ts';
import { Fault, useAsk } from '../components/ask.tsx';
import { Button } from '../components/button.tsx';
import { api } from '../data/client.ts';
import { t } from './texts.ts';

const ways = signal<GetSignInWaysResult>();

/** Loads the server's sign-in methods. Returns undefined until they are loaded. */
export function useWays(): GetSignInWaysResult | undefined {
  useEffect(() => {
    if (ways.peek() !== undefined) return;
    api.getSignInWays().then(
      (found) => (ways.value = found),
      // If the request fails, offer sign-in with a key only.
      () => (ways.value = { singleSignOn: null, isOnly: false, mail: false }),
    );
  }, []);
  return ways.value;
}

export const place = 'linkfold.signing-in';

/**
 * State that this browser stores during a sign-in at the provider. The provider's response is valid only together with
 * this state.
 */
export interface Waiting {
  readonly token: string;
  /** Secret from the invitation that the user is accepting. */
  readonly invitation?: string | undefined;
  /** Set to connect the identity to the signed-in user. */
  readonly connects?: true;
  /** URL to return to after signing in. */
  readonly from: string;
}

/** Redirects to the provider. After signing in, the user returns to the current page. */
export function leaveFor(
  begun: { readonly url: string; readonly token: string },
  waiting: Partial<Pick<Waiting, 'connects' | 'invitation'>>,
): void {
  const from = waiting.invitation === undefined ? location.pathname + location.search : base;
  localStorage.setItem(place, JSON.stringify({ token: begun.token, from, ...waiting } satisfies Waiting));
  location.assign(begun.url);
}

/** Button that signs in at the provider. Hidden if there is no provider. */
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
