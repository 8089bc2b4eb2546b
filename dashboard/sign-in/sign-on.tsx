import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { GetSignInWaysResult } from '../../src/client/client.ts';
import { base } from '../browser/location.ts';
import { Fault, useAsk } from '../components/ask.tsx';
import { Button } from '../components/button.tsx';
import { api } from '../data/client.ts';
import { t } from './texts.ts';

const ways = signal<GetSignInWaysResult>();

/** How people sign in here; undefined until it is known. */
export function useWays(): GetSignInWaysResult | undefined {
  useEffect(() => {
    if (ways.peek() !== undefined) return;
    api.getSignInWays().then(
      (found) => (ways.value = found),
      // A key signs in where nothing else is known.
      () => (ways.value = { singleSignOn: null, isOnly: false, mail: false }),
    );
  }, []);
  return ways.value;
}

export const place = 'linkfold.signing-in';

/** What waits in this browser while its person is at the provider: an answer is good with it alone. */
export interface Waiting {
  readonly token: string;
  /** The secret of an invitation that is accepted. */
  readonly invitation?: string | undefined;
  /** Whether somebody who is signed in is connected to whom the provider proves. */
  readonly connects?: true;
  /** Where to go on. */
  readonly from: string;
}

/** Leaves for the provider, to come back where the reader is. */
export function leaveFor(
  begun: { readonly url: string; readonly token: string },
  waiting: Partial<Pick<Waiting, 'connects' | 'invitation'>>,
): void {
  const from = waiting.invitation === undefined ? location.pathname + location.search : base;
  localStorage.setItem(place, JSON.stringify({ token: begun.token, from, ...waiting } satisfies Waiting));
  location.assign(begun.url);
}

/** The button that leads to the provider; nothing where there is none. */
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
