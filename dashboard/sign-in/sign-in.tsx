import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useAsk } from '../components/ask.tsx';
import { Button } from '../components/button.tsx';
import { CopyButton } from '../components/copy-button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { TextField } from '../components/field.tsx';
import { Mark } from '../components/icon.tsx';
import { explain } from '../data/explain.ts';
import { loginFault } from '../data/session-state.ts';
import { canHavePasskeys, isCancelled, signInByPasskey } from './passkeys.ts';
import { signIn } from './session.ts';
import { SignOnButton, useWays } from './sign-on.tsx';
import { t } from './texts.ts';

/**
 * Sign-in form for all sign-in methods. Shown as a page, or as a dialog over the current page after the session has
 * ended.
 */
export function SignIn({ isOver = false }: { readonly isOver?: boolean }) {
  const [key, setKey] = useState('');
  const { isBusy, fault, setFault, ask } = useAsk();
  const ways = useWays();
  const hasPasskeys = canHavePasskeys && ways?.isOnly !== true;
  const isFirst = !hasPasskeys && !ways?.singleSignOn;
  useEffect(() => {
    if (!isOver) document.title = t.title(t.signIn.submit);
  }, [isOver]);

  const submit = () => {
    const given = key.trim();
    if (given === '') setFault(t.signIn.empty);
    else if (!given.startsWith('lfk_')) setFault(t.signIn.notAKey);
    else {
      setFault(undefined);
      void ask(() => signIn(given));
    }
  };
  const touch = async () => {
    setFault(undefined);
    try {
      await signInByPasskey();
    } catch (failure) {
      if (!isCancelled(failure)) setFault(explain(failure));
    }
  };
  // Wait for the sign-in methods, so that the buttons do not move under the pointer.
  if (ways === undefined) return null;
  const fields = (
    <>
      {!isFirst && (
        <div class="by-passkey">
          <SignOnButton />
          {hasPasskeys && (
            <Button
              kind={ways.singleSignOn ? 'second' : 'primary'}
              size="large"
              class="wide"
              icon="key"
              onClick={() => void touch()}
            >
              {t.passkey.signIn}
            </Button>
          )}
          <span class="small soft">{t.passkey.or}</span>
        </div>
      )}
      <TextField
        label={t.signIn.key}
        value={key}
        size="large"
        placeholder="lfk_…"
        onInput={(value) => {
          setKey(value);
          setFault(undefined);
        }}
        error={fault ?? (loginFault.value !== undefined && key === '' ? t.signIn.linkUsed : undefined)}
        help={t.signIn.promise}
        input={{
          type: 'password',
          name: 'key',
          autofocus: !ways.singleSignOn,
          autocomplete: 'off',
          autocapitalize: 'off',
        }}
      />
      <Button kind={isFirst ? 'primary' : 'second'} size="large" class="wide" type="submit" isBusy={isBusy}>
        {t.signIn.submit}
      </Button>
    </>
  );
  return isOver ? <Over onSubmit={submit}>{fields}</Over> : <Alone onSubmit={submit}>{fields}</Alone>;
}

interface FrameProps {
  readonly onSubmit: () => void;
  readonly children: ComponentChildren;
}

function Over({ onSubmit, children }: FrameProps) {
  return (
    <Dialog title={t.signIn.goneTitle} width="26rem" class="sign-in-over" onSubmit={onSubmit}>
      <p class="soft">{t.signIn.gone}</p>
      {children}
      <WithoutKey />
    </Dialog>
  );
}

function Alone({ onSubmit, children }: FrameProps) {
  return (
    <main class="sign-in">
      <span class="mark">
        <Mark size={36} />
      </span>
      <h1>{t.signIn.title}</h1>
      <p class="soft">{location.host}</p>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit();
        }}
      >
        {children}
      </form>
      <hr />
      <WithoutKey />
    </main>
  );
}

function WithoutKey() {
  return (
    <div class="no-key">
      <h2 class="small">{t.signIn.noKey}</h2>
      <p class="small soft">{t.signIn.noKeyWay}</p>
      <div class="command-line">
        <code>{t.signIn.command}</code>
        <CopyButton kind="quiet" size="small" text={() => t.signIn.command} />
      </div>
    </div>
  );
}
