import { useRef, useState } from 'preact/hooks';
import type { StatisticsDimension } from '../../src/model/clicks/statistics.ts';
import { Icon } from '../components/icon.tsx';
import { lazy } from '../components/lazy.tsx';
import { useAnswer } from './ask.ts';
import { labelOf } from './labels.ts';
import { maxComparedRows, type Question, type Subject } from './model/answer.ts';
import { type Row, rowsOf } from './model/breakdown-rows.ts';
import type { Filter } from './model/filters.ts';
import type { Metric } from './model/state.ts';
import { type OnPick, Rows } from './rows.tsx';
import { t } from './texts.ts';

const WorldMap = lazy(() => import('./map.tsx').then((module) => module.WorldMap));
const AllValues = lazy(() => import('./all-values.tsx').then((module) => module.AllValues));

interface BreakdownProps {
  readonly subject: Subject;
  readonly dimensions: readonly StatisticsDimension[];
  readonly chosen: StatisticsDimension;
  readonly onChoose: (dimension: StatisticsDimension) => void;
  readonly questionFor: (dimension: StatisticsDimension, limit?: number) => Question | undefined;
  readonly turn: number;
  /** Index of the panel when all panels are in one column. */
  readonly place: number;
  readonly metric: Metric;
  readonly filters: readonly Filter[];
  readonly onPick: OnPick;
  readonly onAnswer: (dimension: StatisticsDimension, answer: ReturnType<typeof useAnswer>['answer']) => void;
}

/** Panel with the clicks for each value of a dimension. Related dimensions are shown as tabs. */
export function Breakdown(props: BreakdownProps) {
  const { subject, chosen, questionFor, turn, metric, filters, onPick } = props;
  const [isAllOpen, setAllOpen] = useState(false);
  const question = questionFor(chosen);
  const { answer, error, isOld, retry } = useAnswer(subject, question, turn);
  const isOfChosen = answer?.breakdown?.dimension === chosen;
  if (isOfChosen) props.onAnswer(chosen, answer);
  const rows = isOfChosen && answer !== undefined ? rowsOf(answer, chosen, metric, labelOf) : undefined;
  const { statistics } = t;
  const hasMore = (answer?.breakdown?.other.clicks ?? 0) > 0;
  const hasPlaces = chosen === 'country' || chosen === 'region';
  return (
    <section class="breakdown" style={{ order: props.place }} aria-label={statistics.dimensions[chosen]}>
      <div class="breakdown-head">
        <Tabs {...props} />
        <span class="columns" aria-hidden="true">
          <span>{metric === 'visitors' ? statistics.metrics.visitors : statistics.metrics.clicks}</span>
          {rows?.some(({ change }) => change !== undefined) && <span>{statistics.change}</span>}
        </span>
      </div>
      <div class={isOld && isOfChosen ? 'rows old' : 'rows'}>
        {chosen === 'country' && rows?.some(({ value }) => value !== '') && (
          <WorldMap rows={rows} onPick={(code, label) => onPick('country', 'is', code, label)} />
        )}
        {error !== undefined ? (
          <p class="soft">
            {statistics.failed}.{' '}
            <button type="button" class="link-button" onClick={retry}>
              {t.tryAgain}
            </button>
          </p>
        ) : rows === undefined ? (
          <Waiting />
        ) : rows.length === 0 ? (
          <p class="soft none">{statistics.noValues}</p>
        ) : (
          <Rows
            rows={rows.slice(0, shownRows(chosen))}
            dimension={chosen}
            filters={filters}
            onPick={onPick}
          />
        )}
        {isUnknownAlone(rows) && needsDatabase.has(chosen) && (
          <p class="small soft none">{statistics.needsDatabase}</p>
        )}
      </div>
      <div class="breakdown-foot">
        {rows !== undefined && rows.length > shownRows(chosen) && (
          <button type="button" class="more" onClick={() => setAllOpen(true)}>
            {statistics.everything(hasMore ? undefined : rows.length)} <Icon name="next" size={14} />
          </button>
        )}
        {hasPlaces && (
          <a class="attribution" href="https://db-ip.com" target="_blank" rel="noreferrer">
            {statistics.attribution}
          </a>
        )}
      </div>
      {isAllOpen && (
        <AllValues
          subject={subject}
          dimension={chosen}
          question={questionFor(chosen, 1_000)}
          metric={metric}
          filters={filters}
          onPick={onPick}
          onClose={() => setAllOpen(false)}
        />
      )}
    </section>
  );
}

/** Dimensions that require a geolocation database installed by the operator. */
const needsDatabase: ReadonlySet<StatisticsDimension> = new Set(['region', 'network']);

function isUnknownAlone(rows: readonly Row[] | undefined): boolean {
  return rows?.length === 1 && rows[0]?.value === '';
}

/** Returns the number of visible rows. Next to the map, only half as many fit. */
function shownRows(dimension: StatisticsDimension): number {
  return dimension === 'country' ? maxComparedRows / 2 : maxComparedRows;
}

function Waiting() {
  return (
    <div class="waiting" aria-hidden="true">
      {[92, 64, 41, 30, 22].map((percent) => (
        <i key={percent} class={`skeleton w${percent}`} />
      ))}
    </div>
  );
}

function Tabs({ dimensions, chosen, onChoose }: BreakdownProps) {
  const list = useRef<HTMLDivElement>(null);
  return (
    <div
      ref={list}
      class="tabs"
      role="tablist"
      onKeyDown={(event) => {
        const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
        if (step === undefined) return;
        event.preventDefault();
        const next = dimensions[(dimensions.indexOf(chosen) + step + dimensions.length) % dimensions.length];
        if (next === undefined) return;
        onChoose(next);
        list.current?.querySelector<HTMLElement>(`[data-tab="${next}"]`)?.focus();
      }}
    >
      {dimensions.map((dimension) => (
        <button
          key={dimension}
          type="button"
          role="tab"
          data-tab={dimension}
          aria-selected={dimension === chosen}
          tabIndex={dimension === chosen ? 0 : -1}
          onClick={() => onChoose(dimension)}
        >
          {t.statistics.dimensions[dimension]}
        </button>
      ))}
    </div>
  );
}
