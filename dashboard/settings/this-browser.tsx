import { useEffect, useState } from 'preact/hooks';
import { go, query, withQuery } from '../browser/location.ts';
import { Button } from '../components/button.tsx';
import { api } from '../data/client.ts';
import { domains, usableDomains } from '../data/domains.ts';
import { showFailure } from '../data/explain.ts';
import { me } from '../data/session-state.ts';
import { notify } from '../data/undo.ts';
import { t } from './texts.ts';

const place = 'linkfold.excluded';

/**
 * For each account, the hosts of the domains that exclude this browser's visits. Stored in this browser, because the
 * dashboard cannot read the cookies of other domains.
 */
type Excluded = Readonly<Record<string, readonly string[]>>;

function read(): Excluded {
  try {
    return JSON.parse(localStorage.getItem(place) ?? '{}');
  } catch {
    return {}; // storage is disabled, or contains data written by another version
  }
}

/**
 * Shows on which of the account's domains this browser's visits are not counted. To change the setting, this tab opens
 * the domain, which sets its own cookie and redirects back.
 */
export function ThisBrowser() {
  const account = me.value?.account ?? '';
  const [excluded, setExcluded] = useState(() => read()[account] ?? []);
  const { value: params } = query;
  const { value: known } = domains;
  useEffect(() => {
    const [state, domain] = [params.get('visits'), params.get('domain') ?? ''];
    if (state === null || known === undefined) return;
    go(`${withQuery({ visits: null, domain: null })}#ownVisits`, { replace: true });
    if (state === 'expired') return notify(t.settings.changeExpired, { isError: true });
    // Any website can link to this page with any `domain`, so ignore unknown domains.
    if (!known.some(({ host }) => host === domain)) return;
    const others = excluded.filter((host) => host !== domain);
    const now = state === 'excluded' ? [...others, domain] : others;
    setExcluded(now);
    notify(state === 'excluded' ? t.settings.excluded(domain) : t.settings.counted(domain));
    try {
      localStorage.setItem(place, JSON.stringify({ ...read(), [account]: now }));
    } catch {
      // If storage is disabled, the state is shown until the user leaves the page.
    }
  }, [params, known]);
  const change = async (host: string, excludes: boolean) => {
    try {
      const found = (await api.listBrowserExclusions()).find(({ domain }) => domain === host);
      if (found !== undefined) location.assign(excludes ? found.excludeUrl : found.countUrl);
    } catch (error) {
      showFailure(error);
    }
  };
  return (
    <>
      <p class="small soft">{t.settings.thisBrowserHelp}</p>
      <ul class="own-domains">
        {usableDomains.value.map(({ host, hostUnicode }) => {
          const isExcluded = excluded.includes(host);
          return (
            <li key={host}>
              <b>{hostUnicode}</b>
              <span class="small soft">{isExcluded ? t.settings.isExcluded : t.settings.isCounted}</span>
              <Button size="small" onClick={() => void change(host, !isExcluded)}>
                {isExcluded ? t.settings.countAgain : t.settings.exclude}
              </Button>
            </li>
          );
        })}
      </ul>
    </>
  );
}
