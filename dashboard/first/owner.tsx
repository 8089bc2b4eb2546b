import { useEffect, useState } from 'preact/hooks';
import { Button } from '../components/button.tsx';
import { NameForm } from '../sign-in/name-form.tsx';
import { OfferPasskey } from '../sign-in/new-passkey.tsx';
import { canHavePasskeys } from '../sign-in/passkeys.ts';
import { becomeOwner } from '../sign-in/session.ts';
import { useWays } from '../sign-in/sign-on.tsx';
import { t } from './texts.ts';

/**
 * Asks the user who opened the first-run link for a name, and makes this user the first owner. The user can skip this
 * step and keep using the key.
 */
export function Owner({ onDone }: { readonly onDone: () => void }) {
  const [isIn, setIn] = useState(false);
  const ways = useWays();
  useEffect(() => {
    // If only single sign-on is allowed, skip this step, because owners come from the identity provider.
    if (ways?.isOnly) onDone();
  }, [ways]);
  if (isIn) return <OfferPasskey onDone={onDone} />;
  if (ways === undefined || ways.isOnly) return null;
  return (
    <NameForm
      class="first-owner"
      label={t.owner.name}
      help={t.owner.help}
      missing={t.owner.missing}
      isFirst
      onName={async (name) => {
        await becomeOwner(name);
        if (canHavePasskeys) setIn(true);
        else onDone();
      }}
    >
      {(isBusy) => (
        <div class="ways">
          <Button kind="primary" size="large" type="submit" isBusy={isBusy}>
            {t.owner.submit}
          </Button>
          <Button kind="quiet" size="large" onClick={onDone}>
            {t.owner.skip}
          </Button>
        </div>
      )}
    </NameForm>
  );
}
