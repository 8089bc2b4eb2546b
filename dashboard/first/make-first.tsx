import { useState } from 'preact/hooks';
import { useAsk } from '../components/ask.tsx';
import { Button } from '../components/button.tsx';
import { Icon } from '../components/icon.tsx';
import { Keys } from '../components/keys.tsx';
import { api } from '../data/client.ts';
import { normalUrl } from '../data/links/addresses.ts';
import { linksChanged } from '../data/links/list.ts';
import { t as fieldTexts } from '../fields/texts.ts';
import { t } from './texts.ts';

export interface Made {
  readonly id: string;
  readonly shortUrl: string;
  readonly shortCode: string;
}

/** Form with a single field that creates the first link. */
export function MakeFirst({ onCreated }: { readonly onCreated: (made: Made) => void }) {
  const [address, setAddress] = useState('');
  const { isBusy, fault: error, setFault: setError, ask } = useAsk();
  const submit = () => {
    const url = normalUrl(address);
    if (url === undefined) return setError(fieldTexts.field.addressWrong);
    void ask(async () => {
      onCreated(await api.shorten({ url }));
      linksChanged();
    });
  };
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <p class="soft">{t.first.lead}</p>
      <div class="input first-field">
        <Icon name="link" />
        <input
          aria-label={t.first.address}
          type="url"
          autofocus
          autocomplete="off"
          placeholder={fieldTexts.field.addressHint}
          value={address}
          aria-invalid={error === undefined ? undefined : true}
          aria-describedby={error === undefined ? undefined : 'first-error'}
          onInput={(event) => {
            setAddress(event.currentTarget.value);
            setError(undefined);
          }}
        />
        <Button kind="primary" type="submit" size="large" isBusy={isBusy}>
          {t.first.shorten}
          <Keys keys="enter" />
        </Button>
      </div>
      {error !== undefined && (
        <p id="first-error" class="error-line" role="alert">
          {error}
        </p>
      )}
    </form>
  );
}
