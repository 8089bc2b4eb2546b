import { useEffect, useState } from 'preact/hooks';
import { openDialog } from '../browser/location.ts';
import { Button } from '../components/button.tsx';
import { failureOf } from '../components/destination-check.ts';
import { StatusDot } from '../components/pieces.tsx';
import { api } from '../data/client.ts';
import { onBack } from '../data/connection.ts';
import { beforeCode, type Link, listed } from '../data/links/links.ts';
import { changes } from '../data/links/list.ts';
import { pageOf, referenceOf } from '../data/links/references.ts';
import { may } from '../data/session-state.ts';
import { t } from './texts.ts';

const most = 5;

/** Loads links with failing destinations. Returns undefined while loading. */
export function useFailingLinks(): readonly Link[] | undefined {
  const [links, setLinks] = useState<readonly Link[]>();
  const stamp = changes.value;
  useEffect(() => {
    const read = () =>
      api.listLinks({ destination: 'failing', archived: 'false', limit: most, ...listed() }).then(
        ({ data }) => setLinks(data),
        () => setLinks([]),
      );
    void read();
    return onBack(() => void read());
  }, [stamp]);
  return links;
}

/** Row for a link with a failing destination, with the available actions. */
export function Failing({ link }: { readonly link: Link }) {
  const { destinationCheck: check } = link;
  if (check === null || check === undefined) return null;
  return (
    <div class="needs">
      <StatusDot state="failing" />
      <p>
        <a class="plain" href={pageOf(link)}>
          <b>
            {beforeCode(link.shortUrl)}
            {link.shortCode}
          </b>
        </a>{' '}
        <span class="failing-words">{failureOf(check)}</span>
      </p>
      <p class="soft small">{t.home.stillLeads}</p>
      {may('links:write') && (
        <Button size="small" onClick={() => openDialog('edit', referenceOf(link))}>
          {t.home.repoint}
        </Button>
      )}
    </div>
  );
}
