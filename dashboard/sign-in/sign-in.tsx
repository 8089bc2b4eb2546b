import { useEffect, useState } from 'preact/hooks';
import { Button } from '../components/button.tsx';
import { CopyButton } from '../components/copy-button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { TextField } from '../components/field.tsx';
import { Mark } from '../components/icon.tsx';
import { explain } from '../data/explain.ts';
import { loginFault } from '../data/session-state.ts';
import { canHavePasskeys, isTurnedAway, signInByPasskey } from './passkeys.ts';
import { signIn } from './session.ts';
import { SignOnButton, useWays } from './sign-on.tsx';
import { t } from './texts.ts';

/** Trades a key for a session: a page at first, a dialog over the page when a session has ended. */
export function SignIn({ isOver = false }: { readonly isOver?: boolean }) {
  const [key, setKey] = useState('');
  const [error, setError] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const ways = useWays();
  const hasPasskeys = canHavePasskeys && ways?.isOnly !== true;
  const isFirst = !hasPasskeys && !ways?.singleSignOn;
  const wasRefused = loginFault.value !== undefined;
  useEffect(() => {
    if (!isOver) document.title = t.title(t.signIn.submit);
  }, [isOver]);

  const submit = async () => {
    const given = key.trim();
    const wrong = given === '' ? t.signIn.empty : given.startsWith('lfk_') ? undefined : t.signIn.notAKey;
    setError(wrong);
    if (wrong !== undefined || isBusy) return;
    setBusy(true);
    try {
      await signIn(given);
    } catch (failure) {
      setError(explain(failure));
      setBusy(false);
    }
  };

  const field = (
    <TextField
      label={t.signIn.key}
      value={key}
      size="large"
      placeholder="lfk_…"
      onInput={(value) => {
        setKey(value);
        setError(undefined);
      }}
      error={error ?? (wasRefused && key === '' ? t.signIn.linkUsed : undefined)}
      help={t.signIn.promise}
      input={{
        type: 'password',
        name: 'key',
        autofocus: !ways?.singleSignOn,
        autocomplete: 'off',
        autocapitalize: 'off',
      }}
    />
  );
  const button = (
    <Button kind={isFirst ? 'primary' : 'second'} size="large" class="wide" type="submit" isBusy={isBusy}>
      {t.signIn.submit}
    </Button>
  );
  const touch = async () => {
    setError(undefined);
    try {
      await signInByPasskey();
    } catch (failure) {
      if (!isTurnedAway(failure)) setError(explain(failure));
    }
  };
  const otherWays = !isFirst && (
    <div class="by-passkey">
      <SignOnButton />
      {hasPasskeys && (
        <Button
          kind={ways?.singleSignOn ? 'second' : 'primary'}
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
  );
  const otherWay = (
    <div class="no-key">
      <h2 class="small">{t.signIn.noKey}</h2>
      <p class="small soft">{t.signIn.noKeyWay}</p>
      <div class="command-line">
        <code>{t.signIn.command}</code>
        <CopyButton kind="quiet" size="small" text={() => t.signIn.command} />
      </div>
    </div>
  );

  // What is to be pressed must not move.
  if (ways === undefined) return null;
  if (isOver)
    return (
      <Dialog title={t.signIn.goneTitle} width="26rem" class="sign-in-over" onSubmit={() => void submit()}>
        <p class="soft">{t.signIn.gone}</p>
        {otherWays}
        {field}
        {button}
        {otherWay}
      </Dialog>
    );
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
          void submit();
        }}
      >
        {otherWays}
        {field}
        {button}
      </form>
      <hr />
      {otherWay}
    </main>
  );
}
