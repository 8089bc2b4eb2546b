import { useEffect, useState } from 'preact/hooks';
import { Button } from '../components/button.tsx';
import { CopyButton } from '../components/copy-button.tsx';
import { Icon, Mark } from '../components/icon.tsx';
import type { IconName } from '../components/icons.ts';
import { Keys } from '../components/keys.tsx';
import { Slip } from '../components/pieces.tsx';
import { api } from '../data/client.ts';
import { explain } from '../data/explain.ts';
import { normalUrl } from '../data/links/addresses.ts';
import { shortHost } from '../data/links/links.ts';
import { linksChanged } from '../data/links/list.ts';
import { t as fieldTexts } from '../fields/texts.ts';
import { t } from './texts.ts';

interface Made {
  readonly shortUrl: string;
  readonly shortCode: string;
}

/** The first start, after the one-time link: one field that makes the first link. */
export function First() {
  const [address, setAddress] = useState('');
  const [error, setError] = useState<string>();
  const [made, setMade] = useState<Made>();
  const [isBusy, setBusy] = useState(false);
  useEffect(() => {
    document.title = t.title(t.first.title);
  }, []);

  const submit = async () => {
    const url = normalUrl(address);
    if (isBusy) return;
    if (url === undefined) {
      setError(fieldTexts.field.addressWrong);
      return;
    }
    setBusy(true);
    try {
      setMade(await api.shorten({ url }));
      linksChanged();
    } catch (failure) {
      setError(explain(failure));
    } finally {
      setBusy(false);
    }
  };

  const origin = made === undefined ? location.origin : new URL(made.shortUrl).origin;
  const isLocal = /^https?:\/\/(localhost|127\.|\[::1\]|0\.0\.0\.0)/.test(origin);
  return (
    <main class="first">
      <span class="mark">
        <Mark size={36} />
      </span>
      <h1>{t.first.title}</h1>
      <p class="soft lead">{t.first.lead}</p>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
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
            {t.first.make}
            <Keys keys="enter" />
          </Button>
        </div>
        {error !== undefined && (
          <p id="first-error" class="error-line" role="alert">
            {error}
          </p>
        )}
      </form>
      {made !== undefined && (
        <div class="first-slip" role="status">
          <Slip>
            <p class="label soft">{t.first.made}</p>
            <p class="big-link">
              <span class="soft">{shortHost(made.shortUrl)}</span>
              <b>{made.shortCode}</b>
            </p>
            <div class="slip-tools">
              <CopyButton text={() => made.shortUrl} />
              <a class="button second" href={made.shortUrl} target="_blank" rel="noreferrer">
                <Icon name="external" />
                {t.first.open}
              </a>
              <Button kind="quiet" href="/dashboard/links" icon="next">
                {t.first.toLinks}
              </Button>
            </div>
          </Slip>
        </div>
      )}
      <ul class="first-facts">
        <Fact icon="check" title={t.first.signedIn} more={t.first.signedInMore} />
        <Fact icon="check" title={t.first.key} more={t.first.keyMore} />
        <Fact
          icon={isLocal ? 'warning' : 'check'}
          isWarning={isLocal}
          title={t.first.baseUrl(origin)}
          more={isLocal ? t.first.baseUrlLocal : t.first.baseUrlGood}
        />
      </ul>
    </main>
  );
}

function Fact(props: { icon: IconName; title: string; more: string; isWarning?: boolean }) {
  return (
    <li>
      <span class={props.isWarning ? 'warned' : 'good'}>
        <Icon name={props.icon} />
      </span>
      <div>
        <h2 class="small">{props.title}</h2>
        <p class="small soft">{props.more}</p>
      </div>
    </li>
  );
}
