import { useEffect, useState } from 'preact/hooks';
import type { LinkHistoryResult, MissedVisitsResult } from '../../src/client/client.ts';
import { dialogAddress, openDialog } from '../browser/location.ts';
import { Button } from '../components/button.tsx';
import { CopyButton } from '../components/copy-button.tsx';
import { wordsOf } from '../components/destination-check.ts';
import { api } from '../data/client.ts';
import { type FullLink, stateOf } from '../data/links/links.ts';
import { referenceOf } from '../data/links/references.ts';
import { may } from '../data/session-state.ts';
import { writesWait } from '../data/writes.ts';
import { actionName, fieldName, whoIn } from '../history/words.ts';
import { ask } from '../statistics/ask.ts';
import type { Answer } from '../statistics/model/answer.ts';
import { isMoved } from '../statistics/model/changed.ts';
import { list, relative, shortDate } from '../texts/format.ts';
import { t } from './texts.ts';

const weekMs = 7 * 86_400_000;

interface Reasons {
  readonly week?: Answer;
  readonly missed?: MissedVisitsResult;
  readonly last?: LinkHistoryResult['data'][number] | undefined;
}

/**
 * Loads data that explains a link's clicks: this week's and last week's clicks, rejected visits, and the last change.
 */
function useReasons({ id, revision }: FullLink): Reasons {
  const [reasons, setReasons] = useState<Reasons>({});
  useEffect(() => {
    let isOver = false;
    const add = (more: Reasons) => isOver || setReasons((before) => ({ ...before, ...more }));
    const ignore = () => {}; // ignore errors, because the statistics below report them
    const weeksAgo = (weeks: number) => new Date(Date.now() - weeks * weekMs).toISOString();
    if (may('analytics:read')) {
      const range = { from: weeksAgo(1), compare: `${weeksAgo(2)}..${weeksAgo(1)}` };
      ask({ kind: 'link', id }, { ...range, timezone: 'UTC', interval: 'month' }).then(
        (week) => add({ week }),
        ignore,
      );
      api.missedVisits({ link: id }).then((missed) => add({ missed }), ignore);
    }
    api.linkHistory(id, { limit: 1 }).then(({ data: [last] }) => add({ last }), ignore);
    return () => {
      isOver = true;
    };
  }, [id, revision]);
  return reasons;
}

/**
 * Panel that explains a link's clicks. Opens automatically if there are no clicks, significantly fewer clicks, or
 * rejected visits.
 */
export function Why({ link }: { readonly link: FullLink }) {
  const { week, missed = [], last } = useReasons(link);
  const { why } = t;
  const now = week?.totals.clicks ?? 0;
  const before = week?.compare?.totals.clicks ?? 0;
  const isNew = link.clicks === 0;
  const isFewer = week !== undefined && now < before && isMoved({ clicks: now, before });
  const turnedAway = missed.reduce((sum, { visits }) => sum + visits, 0);
  const { destinationCheck: check } = link;
  const state = stateOf(link);
  const isStopped = ['expired', 'scheduled', 'exhausted', 'disabled'].includes(state);
  const title = isNew ? why.none : isFewer ? why.fewer : turnedAway > 0 ? why.turnedAway : why.calm;
  return (
    // On phones, the panel opens only when tapped, so that the chart comes first.
    <details class="why small" open={innerWidth >= 640 && (isNew || isFewer || turnedAway > 0)}>
      <summary>
        <b>{title}</b> {!isNew && <span class="soft">{week !== undefined && why.weeks(now, before)}</span>}
      </summary>
      <ul>
        {isStopped && <li class="warn-text">{t.states[state]}</li>}
        {missed.map(({ reason, visits, lastDay }) => (
          <li key={reason} class="warn-text">
            {why.missed(visits, why.reasons[reason], shortDate(lastDay))}
          </li>
        ))}
        {turnedAway > 0 && isStopped && state !== 'disabled' && (
          <li>
            <Button
              size="small"
              disabledReason={writesWait()}
              onClick={() => openDialog('edit', referenceOf(link))}
            >
              {t.act.edit}
            </Button>
          </li>
        )}
        {week !== undefined && <li>{why.classes(week.totals)}</li>}
        <li class={check?.state === 'failing' ? 'failing-words' : ''}>
          {check ? wordsOf(check) : why.unchecked}
        </li>
        {last !== undefined && (
          <li>
            <a href="#history">
              {why.changed(actionName(last.action), relative(last.at), whoIn(last))}
              {last.action === 'updated' && `: ${list(Object.keys(last.changes).map(fieldName))}`}
            </a>
          </li>
        )}
        {isNew && turnedAway === 0 && !isStopped && (
          <li class="share-now">
            {why.notShared} <CopyButton size="small" text={() => link.shortUrl} />
            <Button size="small" icon="qr" href={dialogAddress('qr', referenceOf(link))}>
              {t.act.qr}
            </Button>
          </li>
        )}
      </ul>
    </details>
  );
}
