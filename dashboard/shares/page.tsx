import { useEffect, useState } from 'preact/hooks';
import { ApiError } from '../../src/client/client.ts';
import { address } from '../browser/location.ts';
import { Mark } from '../components/icon.tsx';
import { Empty, Failure } from '../components/states.tsx';
import { api } from '../data/client.ts';
import { Statistics } from '../statistics/statistics.tsx';
import { t } from './texts.ts';

interface Shown {
  readonly shortCode: string;
  readonly destinationHost: string;
}

/** The statistics of one link for a reader without a session: what its share gives, and nothing of the account. */
export function SharedPage() {
  const token = decodeURIComponent(address.value.pathname.split('/').at(-1) ?? '');
  const [link, setLink] = useState<Shown>();
  const [error, setError] = useState<unknown>();
  const read = () => {
    setError(undefined);
    // The least that can be asked: it tells whose statistics they are, and whether they are shared still.
    const from = new Date().toISOString();
    api.sharedStatistics(token, { from, timezone: 'UTC', interval: 'hour' }).then((answer) => {
      setLink(answer.link);
      document.title = t.title(t.shared.title(answer.link.shortCode));
    }, setError);
  };
  useEffect(read, [token]);
  return (
    <main class="shared-page" id="content">
      {error !== undefined ? (
        isGone(error) ? (
          <>
            <h1 class="unseen">Linkfold</h1>
            <Empty title={t.shared.gone}>{t.shared.goneMore}</Empty>
          </>
        ) : (
          <Failure title={t.shared.failed} error={error} onRetry={read} />
        )
      ) : (
        link !== undefined && (
          <>
            <header class="shared-head">
              <h1>
                <span class="host">/</span>
                {link.shortCode}
              </h1>
              <p class="soft">{t.shared.to(link.destinationHost)}</p>
            </header>
            <div class="page">
              <Statistics subject={{ kind: 'link', id: token, isShared: true }} />
            </div>
          </>
        )
      )}
      <footer class="shared-foot small soft">
        <Mark size={16} />
        <b>Linkfold</b>
        <span>{t.shared.about}</span>
      </footer>
    </main>
  );
}

function isGone(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'SHARE_NOT_FOUND';
}
