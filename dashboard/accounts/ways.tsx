import { useState } from 'preact/hooks';
import { Fault, useAsk } from '../components/ask.tsx';
import { Button } from '../components/button.tsx';
import { TextField } from '../components/field.tsx';
import { explain } from '../data/explain.ts';
import { canHavePasskeys, isCancelled, signInByPasskey } from '../sign-in/passkeys.ts';
import { signIn } from '../sign-in/session.ts';
import { SignOnButton, useWays } from '../sign-in/sign-on.tsx';
import { t as signInTexts } from '../sign-in/texts.ts';
import { t } from './texts.ts';

interface WaysProps {
  readonly isPerson?: boolean;
  readonly isKeyToo?: boolean;
  readonly onDone?: () => void;
}

/** Sign-in methods for users who sign in again or add an account: single sign-on, passkey or API key. */
export function Ways({ isPerson = true, isKeyToo = false, onDone }: WaysProps) {
  const [key, setKey] = useState('');
  const { isBusy, fault, ask } = useAsk((error) => (isCancelled(error) ? '' : explain(error)));
  const ways = useWays();
  const comeIn = (by: () => Promise<void>) => void ask(() => by().then(onDone));
  return (
    <div class="once-more">
      {isPerson && <SignOnButton />}
      {isPerson && canHavePasskeys && ways?.isOnly !== true && (
        <Button
          kind={ways?.singleSignOn ? 'second' : 'primary'}
          size="large"
          class="wide"
          icon="key"
          isBusy={isBusy}
          onClick={() => comeIn(signInByPasskey)}
        >
          {signInTexts.passkey.signIn}
        </Button>
      )}
      {(!isPerson || isKeyToo) && (
        <>
          <TextField
            label={signInTexts.signIn.key}
            value={key}
            size="large"
            placeholder="lfk_…"
            onInput={setKey}
            input={{ type: 'password', name: 'key', autocomplete: 'off', autocapitalize: 'off' }}
          />
          <Button size="large" class="wide" isBusy={isBusy} onClick={() => comeIn(() => signIn(key.trim()))}>
            {signInTexts.signIn.submit}
          </Button>
        </>
      )}
      <Fault text={fault || undefined} />
      {isPerson && !isKeyToo && <p class="small soft">{t.again.noWay}</p>}
    </div>
  );
}
