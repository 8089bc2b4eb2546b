import { useEffect, useState } from 'preact/hooks';
import type { ListAccountsResult } from '../../src/client/client.ts';
import { Button } from '../components/button.tsx';
import { Icon } from '../components/icon.tsx';
import { Ledger } from '../components/ledger.tsx';
import { Page } from '../components/page.tsx';
import { Empty, Failure, SkeletonRows } from '../components/states.tsx';
import { api } from '../data/client.ts';
import { usePages } from '../data/pages.ts';
import { me } from '../data/session-state.ts';
import { list, longDate, relative } from '../texts/format.ts';
import { SuspensionDialog } from './suspension.tsx';
import { t } from './texts.ts';

export type Account = ListAccountsResult['data'][number];

/**
 * Screen for operators that lists all accounts in this installation: view, suspend, resume. Empty for all other users.
 */
export function Operator() {
  return me.value?.isOperator ? <Accounts /> : <Empty isScreen title={t.operator.nothing} />;
}

function Accounts() {
  const [search, setSearch] = useState('');
  const [subject, setSubject] = useState<Account>();
  const wanted = search.trim();
  const {
    rows: accounts,
    setRows: setAccounts,
    error,
    read,
    readMore,
  } = usePages((cursor) => api.listAccounts({ cursor, ...(wanted !== '' && { search: wanted }) }));
  useEffect(() => {
    const timer = setTimeout(() => void read(), accounts === undefined ? 0 : 150);
    return () => clearTimeout(timer);
  }, [search]);
  const done = (changed: Account) => {
    setSubject(undefined);
    setAccounts(accounts?.map((one) => (one.name === changed.name ? changed : one)));
  };
  return (
    <Page
      title={t.operator.title}
      about={t.operator.about}
      actions={
        <div class="input muted search">
          <Icon name="search" />
          <input
            type="search"
            maxLength={100}
            aria-label={t.operator.search}
            placeholder={t.operator.search}
            value={search}
            onInput={(event) => setSearch(event.currentTarget.value)}
          />
        </div>
      }
    >
      {error !== undefined ? (
        <Failure title={t.operator.failed} error={error} onRetry={() => void read()} />
      ) : accounts === undefined ? (
        <SkeletonRows count={6} />
      ) : accounts.length === 0 ? (
        <Empty title={t.operator.none}>{t.operator.noneMore}</Empty>
      ) : (
        <Table accounts={accounts} onChange={setSubject} />
      )}
      {readMore !== undefined && error === undefined && (
        <div class="after-rows">
          <Button onClick={readMore}>{t.operator.more}</Button>
        </div>
      )}
      {subject !== undefined && (
        <SuspensionDialog subject={subject} onDone={done} onClose={() => setSubject(undefined)} />
      )}
    </Page>
  );
}

interface TableProps {
  readonly accounts: readonly Account[];
  readonly onChange: (account: Account) => void;
}

function Table({ accounts, onChange }: TableProps) {
  return (
    <Ledger
      class="operator-table"
      columns={[
        { name: t.operator.account },
        { name: t.operator.plan, class: 'wide' },
        { name: t.operator.holds, class: 'number' },
        { name: t.operator.lastUse, class: 'wide' },
        { name: t.operator.state },
      ]}
    >
      {accounts.map((account) => (
        <Row key={account.name} account={account} onChange={onChange} />
      ))}
    </Ledger>
  );
}

function Row({ account, onChange }: { readonly account: Account } & Pick<TableProps, 'onChange'>) {
  const { name, createdAt, suspendedAt, plans, people, keys, links, lastUsedAt } = account;
  return (
    <tr>
      <td>
        <b dir="auto">{name}</b>
        <span class="soft block">
          {list([t.operator.people(people), t.operator.keys(keys)])}, {t.operator.made(longDate(createdAt))}
        </span>
      </td>
      <td class="wide">{plans.length === 0 ? t.operator.noPlan : list(plans)}</td>
      <td class="number">{t.operator.links(links)}</td>
      <td class="wide soft">{lastUsedAt === null ? t.operator.never : relative(lastUsedAt)}</td>
      <td>
        {suspendedAt === null ? (
          t.operator.active
        ) : (
          <span class="over">
            {t.operator.suspended} <span class="soft block">{relative(suspendedAt)}</span>
          </span>
        )}
        {name === me.value?.account ? (
          <span class="soft block">{t.operator.own}</span>
        ) : (
          <span class="block">
            <Button
              size="small"
              label={`${suspendedAt === null ? t.operator.suspend : t.operator.resume}: ${name}`}
              onClick={() => onChange(account)}
            >
              {suspendedAt === null ? t.operator.suspend : t.operator.resume}
            </Button>
          </span>
        )}
      </td>
    </tr>
  );
}
