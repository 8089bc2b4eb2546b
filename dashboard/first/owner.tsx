import { useEffect, useState } from 'preact/hooks';
import { Button } from '../components/button.tsx';
import { TextField } from '../components/field.tsx';
import { explain } from '../data/explain.ts';
import { OfferPasskey } from '../sign-in/new-passkey.tsx';
import { canHavePasskeys } from '../sign-in/passkeys.ts';
import { becomeOwner } from '../sign-in/session.ts';
import { useWays } from '../sign-in/sign-on.tsx';
import { t } from './texts.ts';

/** The first owner: whoever opened the link of the first start says what they are called, or goes on with the key. */
export function Owner({ onDone }: { readonly onDone: () => void }) {
  const [name, setName] = useState('');
  const [error, setError] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const [isIn, setIn] = useState(false);
  const ways = useWays();
  useEffect(() => {
    // Then owners come from their provider.
    if (ways?.isOnly) onDone();
  }, [ways]);
  const submit = async () => {
    if (isBusy) return;
    if (name.trim() === '') return setError(t.owner.missing);
    setBusy(true);
    try {
      await becomeOwner(name.trim());
      if (canHavePasskeys) setIn(true);
      else onDone();
    } catch (failure) {
      setError(explain(failure));
      setBusy(false);
    }
  };
  if (isIn) return <OfferPasskey onDone={onDone} />;
  if (ways === undefined || ways.isOnly) return null;
  return (
    <form
      class="first-owner"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <TextField
        label={t.owner.name}
        value={name}
        size="large"
        onInput={(value) => {
          setName(value);
          setError(undefined);
        }}
        error={error}
        help={t.owner.help}
        input={{ autofocus: true, autocomplete: 'name', maxLength: 100, dir: 'auto' }}
      />
      <div class="ways">
        <Button kind="primary" size="large" type="submit" isBusy={isBusy}>
          {t.owner.submit}
        </Button>
        <Button kind="quiet" size="large" onClick={onDone}>
          {t.owner.skip}
        </Button>
      </div>
    </form>
  );
}
