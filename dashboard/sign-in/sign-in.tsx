import { useEffect, useState } from 'preact/hooks';
import { Button } from '../components/button.tsx';
import { CopyButton } from '../components/copy-button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { TextField } from '../components/field.tsx';
import { Mark } from '../components/icon.tsx';
import { explain } from '../data/explain.ts';
import { loginFault } from '../data/session-state.ts';
import { signIn } from './session.ts';
import { t } from './texts.ts';

/** Trades a key for a session: a page at first, a dialog over the page when a session has ended. */
export function SignIn({ isOver = false }: { readonly isOver?: boolean }) {
  const [key, setKey] = useState('');
  const [error, setError] = useState<string>();
  const [isBusy, setBusy] = useState(false);
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
      input={{ type: 'password', name: 'key', autofocus: true, autocomplete: 'off', autocapitalize: 'off' }}
    />
  );
  const button = (
    <Button kind="primary" size="large" class="wide" type="submit" isBusy={isBusy}>
      {t.signIn.submit}
    </Button>
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

  if (isOver)
    return (
      <Dialog title={t.signIn.goneTitle} width="26rem" class="sign-in-over" onSubmit={() => void submit()}>
        <p class="soft">{t.signIn.gone}</p>
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
        {field}
        {button}
      </form>
      <hr />
      {otherWay}
    </main>
  );
}
