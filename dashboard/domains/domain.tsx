import { useEffect, useState } from 'preact/hooks';
import { useRoute } from 'preact-iso/router';
import { base, openDialog } from '../browser/location.ts';
import { onSight } from '../browser/sight.ts';
import { Button } from '../components/button.tsx';
import { Icon } from '../components/icon.tsx';
import { Empty, Failure, ScreenSkeleton } from '../components/states.tsx';
import { type Domain, domains } from '../data/domains.ts';
import { loadDomains } from '../data/groups.ts';
import { Apps } from './apps.tsx';
import { setDefault } from './change.ts';
import { DeleteDomain } from './delete.tsx';
import { isComplete } from './model.ts';
import { Records } from './records.tsx';
import { Settings } from './settings.tsx';
import { t } from './texts.ts';
import { CertificateWords, changesWait, StatusWords } from './words.tsx';

/** Page for a domain, with remaining setup steps, settings, and deletion. */
export function DomainPage() {
  const { params } = useRoute();
  const [error, setError] = useState<unknown>();
  const read = (isOpening = false) => loadDomains(isOpening).then(() => setError(undefined), setError);
  useEffect(() => {
    void read(true);
    return onSight(() => void read());
  }, []);
  const domain = domains.value?.find(({ id, isShared }) => id === params['id'] && !isShared);
  useEffect(() => {
    document.title = t.title(domain?.hostUnicode ?? t.domains.title);
  }, [domain?.hostUnicode]);
  if (domain !== undefined) return <Whole key={domain.id} domain={domain} />;
  if (domains.value !== undefined)
    return (
      <Empty
        isScreen
        title={t.domains.none404}
        ways={
          <Button kind="primary" href={`${base}/domains`}>
            {t.domains.title}
          </Button>
        }
      />
    );
  return error === undefined ? (
    <ScreenSkeleton />
  ) : (
    <Failure title={t.domains.failed} error={error} onRetry={() => void read()} />
  );
}

function Whole({ domain }: { readonly domain: Domain }) {
  const [isDeleting, setDeleting] = useState(false);
  const { host, hostUnicode, status, isDefault, linkCount } = domain;
  const why = changesWait();
  const isMissing = status === 'active' && !isComplete(domain);
  return (
    <>
      <header class="link-head">
        <nav class="crumbs small" aria-label={t.domains.back}>
          <a class="plain" href={`${base}/domains`}>
            <Icon name="back" size={14} />
            {t.domains.back}
          </a>
        </nav>
        <div class="link-top">
          <div class="link-name">
            <h1>{hostUnicode}</h1>
            {isDefault && <span class="tag">{t.domains.isDefault}</span>}
          </div>
          <div class="actions">
            {status !== 'pending' && (
              <Button icon="plus" onClick={() => openDialog('new', '', { domain: host })}>
                {t.domains.tryIt}
              </Button>
            )}
            {status !== 'pending' && !isDefault && (
              <Button icon="check" disabledReason={why} onClick={() => void setDefault(domain)}>
                {t.domains.makeDefault}
              </Button>
            )}
            <Button icon="bin" disabledReason={why} onClick={() => setDeleting(true)}>
              {t.domains.delete}
            </Button>
          </div>
        </div>
        {host !== hostUnicode && <p class="soft mono">{host}</p>}
        <p class="domain-status">
          <StatusWords domain={domain} /> ·
          <a class="plain" href={`${base}/links?domain=${host}`}>
            {t.domains.linkCount(linkCount)}
          </a>
        </p>
        {domain.certificate != null && (
          <p>
            <CertificateWords domain={domain} isComplete />
          </p>
        )}
        <p class="soft">{t.domains.statusMore[isMissing ? 'activeMissing' : status]}</p>
      </header>
      <div class="page">
        <Records domain={domain} />
        <Settings domain={domain} />
        <Apps domain={domain} />
      </div>
      {isDeleting && <DeleteDomain domain={domain} onClose={() => setDeleting(false)} />}
    </>
  );
}
