import { useEffect, useRef, useState } from 'preact/hooks';
import type { AuditResult, ListMembersResult } from '../../src/client/client.ts';
import { base, go, query, withQuery } from '../browser/location.ts';
import { Button } from '../components/button.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Page } from '../components/page.tsx';
import { Select } from '../components/select.tsx';
import { Empty } from '../components/states.tsx';
import { api } from '../data/client.ts';
import { changes } from '../data/links/list.ts';
import { pageById } from '../data/links/references.ts';
import { usePages } from '../data/pages.ts';
import { may } from '../data/session-state.ts';
import { writesWait } from '../data/writes.ts';
import { ChangeLines } from '../history/change-lines.tsx';
import { actionName, linesOf, whoIn } from '../history/words.ts';
import { dateAndTime, relative } from '../texts/format.ts';
import { t } from './texts.ts';
import { type Undo, undoOf } from './undo.ts';

export type Change = AuditResult['data'][number];
type Kind = keyof typeof t.activity.kinds;

/** Activity log: all changes in the account with actor, time and an undo button. */
export function Activity() {
  const actor = query.value.get('person') ?? '';
  const kind = (query.value.get('kind') ?? '') as Kind | '';
  const { rows, error, read, readMore } = usePages<Change>((cursor) =>
    api.audit({ cursor, include: ['targetName'], ...(kind && { kind }), ...(actor && { actor }) }),
  );
  const mayRead = may('audit:read');
  useEffect(() => {
    if (mayRead) void read();
  }, [mayRead, actor, kind, changes.value]);
  if (!mayRead)
    return (
      <Page title={t.places.activity}>
        <p class="soft">{t.activity.forbidden}</p>
      </Page>
    );
  return (
    <Page title={t.places.activity} about={t.activity.about} actions={<Filters rows={rows ?? []} />}>
      <Loaded value={rows} error={error} failed={t.activity.failed} onRetry={read} rows={8}>
        {(rows) => (rows.length === 0 ? <Empty title={t.activity.none} /> : <Changes rows={rows} />)}
      </Loaded>
      {readMore !== undefined && <Button onClick={readMore}>{t.activity.older}</Button>}
    </Page>
  );
}

/**
 * Filters by actor and kind, stored in the URL. Actor options are all members, plus every actor in the rows loaded so
 * far.
 */
function Filters({ rows }: { readonly rows: readonly Change[] }) {
  const actors = useRef(new Map<string, string>());
  const [members, setMembers] = useState<ListMembersResult>([]);
  for (const { actor } of rows) if (actor.id !== null) actors.current.set(actor.id, actor.name ?? actor.id);
  for (const { id, name } of members) actors.current.set(id, name);
  useEffect(() => {
    // If members fail to load, only actors in the rows are offered.
    if (may('people:write')) api.listMembers().then(setMembers, () => {});
  }, []);
  const filter = (name: 'person' | 'kind', label: string, all: string, names: Iterable<[string, string]>) => (
    <Select
      label={label}
      value={query.value.get(name) ?? ''}
      options={[{ value: '', label: all }, ...[...names].map(([value, label]) => ({ value, label }))]}
      onChange={(value) => go(withQuery({ [name]: value || null }), { replace: true })}
    />
  );
  const { activity } = t;
  return (
    <>
      {filter('person', activity.person, activity.everyone, actors.current)}
      {filter('kind', activity.kind, activity.everything, Object.entries(activity.kinds))}
    </>
  );
}

function Changes({ rows }: { readonly rows: readonly Change[] }) {
  const seen = new Set<string | null>();
  return (
    <ol class="time-line">
      {rows.map((change) => {
        const { id } = change.target;
        const isLatest = !seen.has(id);
        seen.add(id);
        return <Entry key={change.id} change={change} undo={isLatest ? undoOf(change) : undefined} />;
      })}
    </ol>
  );
}

function Entry({ change, undo }: { readonly change: Change; readonly undo: Undo | undefined }) {
  const { at, action, target } = change;
  const [, verb = ''] = action.split('.');
  const lines = linesOf(change);
  const what = `${t.activity.kinds[target.kind as Kind]} ${target.name ?? ''}`;
  const href =
    target.kind === 'link'
      ? pageById(target.id ?? '', target.name ?? '')
      : target.kind === 'folder' && verb !== 'deleted'
        ? `${base}/links?folder=${target.id}`
        : undefined;
  return (
    <li>
      <div class="time-line-head">
        <b>{actionName(verb)}</b>
        {href === undefined ? <span dir="auto">{what}</span> : <a href={href}>{what}</a>}
        <span class="soft">
          <time dateTime={at} title={dateAndTime(at)}>
            {relative(at)}
          </time>{' '}
          {whoIn(change)}
        </span>
        {undo !== undefined && (
          <Button
            size="small"
            icon="undo"
            class="end"
            disabledReason={writesWait()}
            rest={{ 'aria-label': t.activity.undoFor(`${actionName(verb)}, ${what}`) }}
            onClick={undo}
          >
            {t.undo}
          </Button>
        )}
      </div>
      {lines.length > 3 ? (
        <details class="small">
          <summary>{t.activity.fields(lines.length)}</summary>
          <ChangeLines lines={lines} />
        </details>
      ) : (
        <ChangeLines lines={lines} />
      )}
    </li>
  );
}
