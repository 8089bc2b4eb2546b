import { useEffect, useState } from 'preact/hooks';
import { asksToAdd, base, go, withQuery } from '../browser/location.ts';
import { useShortcuts } from '../browser/shortcuts.ts';
import { onSight } from '../browser/sight.ts';
import { Button } from '../components/button.tsx';
import { Ledger, RowMenu } from '../components/ledger.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Page } from '../components/page.tsx';
import { Empty } from '../components/states.tsx';
import { type Domain, domains } from '../data/domains.ts';
import { loadDomains } from '../data/groups.ts';
import { number } from '../texts/format.ts';
import { AddDomain } from './add.tsx';
import { setDefault } from './change.ts';
import { t } from './texts.ts';
import { CertificateWords, changesWait, HostName, StatusWords } from './words.tsx';

/** Screen that lists the account's domains and the server's shared domain. */
export function Domains() {
  const [error, setError] = useState<unknown>();
  const all = domains.value;
  const why = changesWait();
  const read = (isOpening = false) => loadDomains(isOpening).then(() => setError(undefined), setError);
  useEffect(() => {
    void read(true);
    return onSight(() => void read());
  }, []);
  const add = () => go(withQuery({ add: '' }));
  useShortcuts({ c: () => (why === undefined ? add() : false) });
  const button = (keys?: 'c') => (
    <Button kind="primary" icon="plus" {...(keys && { keys })} disabledReason={why} onClick={add}>
      {t.domains.add}
    </Button>
  );
  const shared = all?.find(({ isShared }) => isShared);
  const hasCertificates = all?.some(({ certificate }) => certificate != null) ?? false;
  return (
    <Page title={t.domains.title} about={t.domains.about} actions={button('c')}>
      <Loaded value={all} error={error} failed={t.domains.failed} onRetry={() => read()}>
        {(all) =>
          all.every(({ isShared }) => isShared) ? (
            <Empty title={t.domains.none} hasPicture ways={button()}>
              {t.domains.noneMore(shared?.hostUnicode ?? '')}
            </Empty>
          ) : (
            <Ledger
              columns={[
                { name: t.domains.name },
                { name: t.domains.status },
                { name: t.domains.links, class: 'number wide' },
                ...(hasCertificates ? [{ name: t.domains.certificate, class: 'wide' } as const] : []),
                { name: t.more, class: 'unseen' },
              ]}
            >
              {all.map((domain) => (
                <Row key={domain.id} domain={domain} hasCertificates={hasCertificates} />
              ))}
            </Ledger>
          )
        }
      </Loaded>
      {asksToAdd() && why === undefined && (
        <AddDomain onClose={() => go(withQuery({ add: null }), { replace: true })} />
      )}
    </Page>
  );
}

interface RowProps {
  readonly domain: Domain;
  /** Whether the table has a column for certificates. */
  readonly hasCertificates: boolean;
}

function Row({ domain, hasCertificates }: RowProps) {
  const { id, host, hostUnicode, isDefault, isShared, status, linkCount } = domain;
  const page = `${base}/domains/${id}`;
  const links = `${base}/links?domain=${host}`;
  const why = changesWait();
  return (
    <tr>
      <td>
        {isShared ? (
          <HostName domain={domain} />
        ) : (
          <a class="plain with-icon" href={page}>
            <HostName domain={domain} />
          </a>
        )}{' '}
        {isDefault && <span class="tag">{t.domains.isDefault}</span>}
        {isShared && <span class="soft block">{t.domains.shared}</span>}
      </td>
      <td>{isShared ? null : <StatusWords domain={domain} />}</td>
      <td class="number wide">
        <a class="plain clicks" href={links} aria-label={`${number(linkCount)}: ${t.domains.showLinks}`}>
          {number(linkCount)}
        </a>
      </td>
      {hasCertificates && (
        <td class="wide">
          <CertificateWords domain={domain} />
        </td>
      )}
      <td>
        <RowMenu
          label={t.moreFor(hostUnicode)}
          items={() => [
            ...(isShared ? [] : [{ label: t.domains.settings, icon: 'settings', href: page } as const]),
            { label: t.domains.showLinks, icon: 'link', href: links },
            {
              label: t.domains.makeDefault,
              icon: 'check',
              disabledReason:
                why ?? (status === 'pending' ? t.domains.errors['DOMAIN_NOT_ACTIVE'] : undefined),
              isChosen: isDefault,
              onSelect: () => void setDefault(domain),
            },
          ]}
        />
      </td>
    </tr>
  );
}
