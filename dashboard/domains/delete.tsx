import { useState } from 'preact/hooks';
import { ApiError } from '../../src/client/client.ts';
import { base, go } from '../browser/location.ts';
import { Dialog, DialogFoot } from '../components/dialog.tsx';
import { api } from '../data/client.ts';
import type { Domain } from '../data/domains.ts';
import { loadDomains } from '../data/groups.ts';
import { notify } from '../data/undo.ts';
import { t } from './texts.ts';
import { explainRefusal } from './words.tsx';

interface DeleteProps {
  readonly domain: Domain;
  readonly onClose: () => void;
}

/**
 * Dialog that confirms deleting a domain, which cannot be undone. Shows what will be deleted, or what prevents
 * deletion.
 */
export function DeleteDomain({ domain, onClose }: DeleteProps) {
  const { id, host, hostUnicode } = domain;
  const [fault, setFault] = useState<string>();
  const [inUse, setInUse] = useState(domain.linkCount);
  const [isBusy, setBusy] = useState(false);
  const remove = async () => {
    if (isBusy || inUse > 0) return;
    setBusy(true);
    try {
      await api.deleteDomain(id);
      await loadDomains().catch(() => {});
      notify(t.domains.deleted(hostUnicode));
      go(`${base}/domains`, { replace: true });
    } catch (error) {
      setBusy(false);
      setFault(explainRefusal(error));
      if (!(error instanceof ApiError) || error.code !== 'DOMAIN_IN_USE') return;
      // The domain has links that were created after the page was loaded, so reload the link count.
      await api.getDomain(id).then(
        ({ linkCount }) => setInUse(linkCount),
        () => {},
      );
    }
  };
  const why = inUse > 0 ? t.domains.deleteInUse(inUse) : fault;
  return (
    <Dialog
      title={t.domains.deleteTitle(hostUnicode)}
      width="30rem"
      onClose={onClose}
      foot={
        <DialogFoot
          kind="danger"
          keys={null}
          action={t.domains.delete}
          isBusy={isBusy}
          disabledReason={inUse > 0 ? why : undefined}
          onAction={() => void remove()}
          onCancel={onClose}
        />
      }
    >
      <div class="stack">
        <p class="soft">{t.domains.deleteHelp}</p>
        {why !== undefined && (
          <p class="fault" role="alert">
            {why} {inUse > 0 && <a href={`${base}/links?domain=${host}`}>{t.domains.showLinks}</a>}
          </p>
        )}
      </div>
    </Dialog>
  );
}
