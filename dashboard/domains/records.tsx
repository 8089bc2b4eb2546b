import { useEffect, useState } from 'preact/hooks';
import { Fault } from '../components/ask.tsx';
import { Button } from '../components/button.tsx';
import { CopyButton } from '../components/copy-button.tsx';
import { Icon } from '../components/icon.tsx';
import { type Domain, domainOf } from '../data/domains.ts';
import { loadDomains } from '../data/groups.ts';
import { notify } from '../data/undo.ts';
import { list, relative } from '../texts/format.ts';
import { keepDomain } from './change.ts';
import { useChecks } from './checks.ts';
import { adviceFor, type DnsRecord, isComplete, recordState } from './model.ts';
import { t } from './texts.ts';

const icons = {
  waiting: 'clock',
  found: 'check',
  missing: 'clock',
  wrong: 'alert',
  silent: 'warning',
} as const;

/** A domain's required DNS records, each with its status. Rechecked while the page is open. */
export function Records({ domain }: { readonly domain: Domain }) {
  const { host, hostUnicode, status, records, checkedAt } = domain;
  const { checkNow, isChecking, fault } = useChecks(domain, (checked) => {
    if (checked.status === 'active' && domainOf(host)?.status !== 'active') {
      notify(t.domains.nowActive(hostUnicode));
      void loadDomains().catch(() => {});
    }
    keepDomain(checked);
  });
  useMinutes();
  const isDone = isComplete(domain);
  return (
    <section class="settings-group dns" style={{ maxWidth: '46rem' }} aria-labelledby="dns">
      <h2 id="dns">{t.domains.records}</h2>
      <p class="small soft">
        {isDone ? t.domains.allFound : t.domains.recordsAbout}
        {records.length === 1 && ` ${t.domains.provenByOperator}`}
      </p>
      <ul>
        {records.map((record) => (
          <RecordItem key={record.type} record={record} checkedAt={checkedAt} />
        ))}
      </ul>
      <Fault text={fault} />
      <div class="small soft with-icon">
        <Button size="small" icon="refresh" isBusy={isChecking} onClick={() => void checkNow()}>
          {t.domains.checkNow}
        </Button>
        <span>
          {checkedAt !== null && t.domains.checked(relative(checkedAt))}{' '}
          {t.domains[status === 'pending' ? 'watching' : isDone ? 'watchingDaily' : 'watchingHourly']}
        </span>
      </div>
    </section>
  );
}

/** Re-renders every minute, to update the time since the last check. */
function useMinutes(): void {
  const [, setNow] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 30_000);
    return () => clearInterval(timer);
  }, []);
}

function RecordItem({
  record,
  checkedAt,
}: {
  readonly record: DnsRecord;
  readonly checkedAt: string | null;
}) {
  const { purpose, type, name, value, others } = record;
  const state = recordState(record, checkedAt);
  const advice = adviceFor(record, state);
  return (
    <li class={state} data-record={type}>
      <div class="part-head">
        <h3>{t.domains.purposes[purpose]}</h3>
        <span class="with-icon state" role="status">
          <Icon name={icons[state]} /> {t.domains.states[state]}
        </span>
      </div>
      {advice !== 'this-machine' && (
        <dl class="facts">
          <dt>{t.domains.type}</dt>
          <dd class="mono">{type}</dd>
          <Copied name={t.domains.recordName} text={name} label={t.domains.copyName(type)} />
          <Copied name={t.domains.value} text={value} label={t.domains.copyValue(type)} />
          {state !== 'found' && others.length > 0 && (
            <>
              <dt>{t.domains.foundInstead}</dt>
              <dd class="mono instead">{list(others)}</dd>
            </>
          )}
        </dl>
      )}
      {advice !== undefined && <p class="small">{t.domains.advice[advice]}</p>}
    </li>
  );
}

function Copied({ name, text, label }: Readonly<Record<'name' | 'text' | 'label', string>>) {
  return (
    <>
      <dt>{name}</dt>
      <dd class="with-icon">
        <span class="mono">{text}</span>
        <CopyButton size="small" text={() => text} rest={{ 'aria-label': label }} />
      </dd>
    </>
  );
}
