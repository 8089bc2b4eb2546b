import { useEffect, useState } from 'preact/hooks';
import type { Click } from '../../src/client/client.ts';
import { whileInSight } from '../browser/sight.ts';
import { SkeletonRows } from '../components/states.tsx';
import { api } from '../data/client.ts';
import { isAfterGap, isFollowing, onEvent } from '../data/events.ts';
import type { Link } from '../data/links/links.ts';
import { pageById } from '../data/links/references.ts';
import { BeforeCode } from '../fields/destination.tsx';
import { labelOf } from '../statistics/labels.ts';
import { ago } from '../texts/format.ts';
import { readLink } from './read-link.ts';
import { t } from './texts.ts';

const most = 6;
const everyMs = 10_000;

type Row = Pick<
  Click,
  'time' | 'linkId' | 'shortCode' | 'country' | 'referrer' | 'device' | 'trigger' | 'class'
> & {
  readonly key: string;
  /** Whether the click occurred while the page was open. */
  readonly isFresh: boolean;
};

/** The account's latest clicks, updated by live events, or by polling if events are not available. */
export function LastClicks() {
  const rows = useLastClicks();
  const links = useLinks((rows ?? []).map(({ linkId }) => linkId));
  const now = useSeconds(rows !== undefined);
  if (rows === undefined) return <SkeletonRows count={most} />;
  if (rows.length === 0) return null;
  return (
    <ol class="last-clicks" aria-label={t.homeFigures.last}>
      {rows.map((click) => (
        <li key={click.key} class={click.isFresh ? 'fresh' : ''}>
          <a class="plain cut" href={pageById(click.linkId, click.shortCode)}>
            <BeforeCode shortUrl={links.get(click.linkId)?.shortUrl} />
            <b>{click.shortCode}</b> <span class="soft">{links.get(click.linkId)?.title}</span>
          </a>
          <span class="cut">{click.country !== '' && labelOf('country', { value: click.country })}</span>
          <span class="cut soft from">{cameFrom(click)}</span>
          <span class="cut soft device">
            {click.class === 'human'
              ? click.device !== '' && labelOf('device', { value: click.device })
              : labelOf('class', { value: click.class })}
          </span>
          <time class="soft" dateTime={click.time}>
            {ago(click.time, now)}
          </time>
        </li>
      ))}
    </ol>
  );
}

function cameFrom({ trigger, referrer }: Row): string {
  if (referrer !== '' || trigger === 'link') return referrer;
  return labelOf('trigger', { value: trigger });
}

/** Returns the latest clicks, or undefined while loading. */
function useLastClicks(): readonly Row[] | undefined {
  const [rows, setRows] = useState<readonly Row[]>();
  useEffect(() => {
    const ending = new AbortController();
    const read = () => {
      api.accountClicks({ limit: most }, { signal: ending.signal }).then(
        ({ data }) =>
          setRows(data.map((click, at) => ({ ...click, key: `${click.time} ${at}`, isFresh: false }))),
        () => setRows((before) => before ?? []), // the previous rows stay
      );
    };
    read();
    const endReading = whileInSight(read, everyMs, () => !isFollowing.peek());
    const endEvents = onEvent((event) => {
      if (isAfterGap(event)) read();
      if (event.type === 'click')
        setRows((before = []) => {
          // The loaded clicks may already contain this click. If so, the event replaces the loaded click.
          const others = before.filter((row) => row.isFresh || !isAlike(row, event));
          return [{ ...event, key: event.id, isFresh: true }, ...others].slice(0, most);
        });
    });
    return () => {
      ending.abort();
      endReading();
      endEvents();
    };
  }, []);
  return rows;
}

/** Returns true if two entries may be the same click. Loaded times are truncated to seconds. */
function isAlike(a: Pick<Row, 'time' | 'linkId'>, b: Pick<Row, 'time' | 'linkId'>): boolean {
  return a.linkId === b.linkId && a.time.slice(0, 19) === b.time.slice(0, 19);
}

/** Loads links by id, each link once. */
function useLinks(ids: readonly string[]): ReadonlyMap<string, Partial<Link>> {
  const [links, setLinks] = useState<ReadonlyMap<string, Partial<Link>>>(new Map());
  const missing = [...new Set(ids)].filter((id) => !links.has(id));
  useEffect(() => {
    if (missing.length === 0) return;
    const set = (id: string, link: Partial<Link>) => setLinks((before) => new Map(before).set(id, link));
    for (const id of missing) {
      set(id, {});
      readLink(id).then(
        (link) => set(id, link),
        () => {}, // the link may have been deleted; its clicks remain
      );
    }
  }, [missing.join()]);
  return links;
}

/** Returns the current time, updated every second while the page is visible. */
function useSeconds(isOn: boolean): number {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    if (!isOn) return undefined;
    const timer = setInterval(() => {
      if (!document.hidden) setNow(Date.now());
    }, 1_000);
    return () => clearInterval(timer);
  }, [isOn]);
  return now;
}
