import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Icon, Mark } from '../../dashboard/components/icon.tsx';
import { startPage, t } from '../browser/texts.ts';
import { isHostAllowed, readServer, requestHostAccess, type Server } from '../data/server.ts';
import { Shorten } from './shorten.tsx';

type State = { readonly server?: Server | undefined; readonly isReachable?: boolean };

/** Shows the form if a server is configured and the extension may access it, otherwise the setup steps. */
function Popup() {
  const [state, setState] = useState<State>();
  const read = async () => {
    const server = await readServer();
    setState({ server, isReachable: server !== undefined && (await isHostAllowed(server.url)) });
  };
  useEffect(() => void read(), []);
  if (state === undefined) return null;
  const { server, isReachable } = state;
  return (
    <>
      <header>
        <Mark />
        <h1>{t('shortenTitle')}</h1>
        {server !== undefined && <span class="soft small cut">{new URL(server.url).host}</span>}
        <button
          type="button"
          class="button quiet small icon-only"
          aria-label={t('settings')}
          title={t('settings')}
          onClick={() => chrome.runtime.openOptionsPage()}
        >
          <Icon name="settings" />
        </button>
      </header>
      <main>
        {server === undefined ? (
          <div class="stack">
            <p>{t('noServer')}</p>
            <button type="button" class="button primary" onClick={() => chrome.runtime.openOptionsPage()}>
              {t('connect')}
            </button>
          </div>
        ) : !isReachable ? (
          <div class="stack">
            <p>{t('noAccess', new URL(server.url).host)}</p>
            <button
              type="button"
              class="button primary"
              onClick={() => void requestHostAccess(server.url).then(read)}
            >
              {t('allow')}
            </button>
          </div>
        ) : (
          <Shorten server={server} />
        )}
      </main>
    </>
  );
}

startPage('shortenTitle');
render(<Popup />, document.body);
