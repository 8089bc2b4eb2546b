import { useEffect, useRef } from 'preact/hooks';
import type { DeletedLink } from '../../src/client/client.ts';
import { Button } from '../components/button.tsx';
import { Ledger } from '../components/ledger.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Page } from '../components/page.tsx';
import { Empty } from '../components/states.tsx';
import { api } from '../data/client.ts';
import { showFailure } from '../data/explain.ts';
import { loadGroups } from '../data/groups.ts';
import { beforeCode } from '../data/links/links.ts';
import { changes, linksChanged } from '../data/links/list.ts';
import { usePages } from '../data/pages.ts';
import { notifyWithUndo } from '../data/undo.ts';
import { writesWait } from '../data/writes.ts';
import { Destination } from '../fields/destination.tsx';
import { dateAndTime, longDate, number } from '../texts/format.ts';
import { t } from './texts.ts';

/** Screen that lists and restores deleted links. Codes of deleted links stay reserved for the account. */
export function Bin() {
  const {
    rows: links,
    setRows: setLinks,
    error,
    read,
    readMore,
  } = usePages<DeletedLink>((cursor) =>
    api.listLinks({ status: 'deleted', limit: 50, ...(cursor !== '' && { cursor }) }),
  );
  // Reload the list when links change elsewhere, such as after an undo. After a restore on this screen, only remove the
  // link's row, so that all pages stay loaded.
  const known = useRef<number>(undefined);
  useEffect(() => {
    if (known.current !== changes.value) void read();
    known.current = changes.value;
  }, [changes.value]);

  const restore = async (link: DeletedLink) => {
    try {
      await api.restoreLink(link.id);
      setLinks((before) => before?.filter(({ id }) => id !== link.id));
      notifyWithUndo(t.bin.restored(link.shortCode), t.bin.restoredBack(link.shortCode), async () => {
        await api.deleteLink(link.id);
        linksChanged();
        await Promise.all([read(), loadGroups()]);
      });
    } catch (failure) {
      showFailure(failure);
    }
    linksChanged();
    known.current = changes.peek();
    await loadGroups();
  };

  return (
    <Page title={t.bin.title} about={t.bin.about}>
      <Loaded value={links} error={error} failed={t.bin.failed} rows={4} onRetry={read}>
        {(links) =>
          links.length === 0 ? (
            <Empty title={t.bin.none} hasPicture>
              {t.bin.noneMore}
            </Empty>
          ) : (
            <Deleted links={links} onRestore={(link) => void restore(link)} />
          )
        }
      </Loaded>
      {readMore !== undefined && (
        <p class="after-rows">
          <Button onClick={readMore}>{t.bin.more}</Button>
        </p>
      )}
    </Page>
  );
}

interface DeletedProps {
  readonly links: readonly DeletedLink[];
  readonly onRestore: (link: DeletedLink) => void;
}

function Deleted({ links, onRestore }: DeletedProps) {
  const why = writesWait();
  return (
    <Ledger
      columns={[
        { name: t.bin.link },
        { name: t.bin.deleted, class: 'wide' },
        { name: t.bin.clicks, class: 'number wide' },
        { name: t.bin.restore, class: 'unseen' },
      ]}
    >
      {links.map((link) => (
        <tr key={link.id}>
          <td class="bin-link">
            <span class="name">
              <span class="soft">{beforeCode(link.shortUrl)}</span>
              <b>{link.shortCode}</b> <span dir="auto">{link.title}</span>
            </span>
            <span class="soft cut block" title={link.destinationUrl}>
              <Destination link={link} />
            </span>
          </td>
          <td class="wide soft" title={dateAndTime(link.deletedAt)}>
            {longDate(link.deletedAt)}
          </td>
          <td class="number wide">{number(link.clicks)}</td>
          <td>
            <Button size="small" icon="undo" disabledReason={why} onClick={() => onRestore(link)}>
              {t.bin.restore}
            </Button>
          </td>
        </tr>
      ))}
    </Ledger>
  );
}
