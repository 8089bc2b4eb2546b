import { useState } from 'preact/hooks';
import { Fault } from '../components/ask.tsx';
import { Button } from '../components/button.tsx';
import { explain } from '../data/explain.ts';
import { addPasskey, canHavePasskeys, isCancelled } from './passkeys.ts';
import { t } from './texts.ts';

/** Form that adds a passkey. The user can rename the passkey afterwards. */
export function NewPasskey({ onAdded, isFirst }: { readonly onAdded: () => void; readonly isFirst?: true }) {
  const [error, setError] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  if (!canHavePasskeys) return <p class="small soft">{t.passkey.impossible}</p>;
  const add = async () => {
    if (isBusy) return;
    setBusy(true);
    setError(undefined);
    try {
      await addPasskey(t.passkey.named(new Date().toLocaleDateString()));
      onAdded();
    } catch (failure) {
      if (!isCancelled(failure)) setError(explain(failure));
    }
    setBusy(false);
  };
  return (
    <div>
      <Button
        icon="key"
        isBusy={isBusy}
        onClick={() => void add()}
        {...(isFirst === true && ({ kind: 'primary', size: 'large' } as const))}
      >
        {t.passkey.add}
      </Button>
      <Fault text={error} />
    </div>
  );
}

/** Offers a passkey to a member who has just joined. */
export function OfferPasskey({ onDone }: { readonly onDone: () => void }) {
  return (
    <div class="stack">
      <h1>{t.passkey.offer}</h1>
      <p class="soft">{t.passkey.offerMore}</p>
      <div class="ways">
        <NewPasskey isFirst onAdded={onDone} />
        <Button kind="quiet" size="large" onClick={onDone}>
          {t.passkey.later}
        </Button>
      </div>
    </div>
  );
}
