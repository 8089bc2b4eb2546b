import type { StatisticsDimension } from '../../src/model/clicks/statistics.ts';
import { query } from '../browser/location.ts';
import { pageById } from '../data/links/references.ts';
import { number } from '../texts/format.ts';
import { Change } from './metrics.tsx';
import type { Row } from './model/breakdown-rows.ts';
import type { Filter } from './model/filters.ts';
import { t } from './texts.ts';

export type OnPick = (
  dimension: StatisticsDimension,
  operator: 'is' | 'is-not',
  value: string,
  label: string,
) => void;

interface RowsProps {
  readonly rows: readonly Row[];
  readonly dimension: StatisticsDimension;
  readonly filters: readonly Filter[];
  readonly onPick: OnPick;
}

/** Rows whose bars are buttons. Clicking a bar filters by its value; Shift+click excludes the value. */
export function Rows({ rows, dimension, filters, onPick }: RowsProps) {
  const { statistics } = t;
  const isFiltered = (value: string): boolean =>
    filters.some((one) => one.dimension === dimension && one.operator === 'is' && one.values.includes(value));
  return (
    <ul class="bar-rows">
      {rows.map((row) => (
        <li key={row.value}>
          <button
            type="button"
            class="bar-row"
            aria-pressed={isFiltered(row.value)}
            title={statistics.rowsHelp}
            onClick={(event) => onPick(dimension, event.shiftKey ? 'is-not' : 'is', row.value, row.label)}
          >
            <i class="share" style={{ '--share': String(row.share) }} />
            <span class="name cut" dir="auto">
              {row.link === undefined ? row.label : <span class="unseen">{row.label}</span>}
            </span>
            <span class="count">{number(row.count)}</span>
            {row.change !== undefined && <Change share={row.change} />}
          </button>
          {row.link !== undefined && (
            <a
              class="opens plain cut"
              href={pageOf(row.value, row.link.code)}
              title={statistics.open(row.label)}
            >
              <b>{row.label}</b>{' '}
              {row.link.title !== undefined && (
                <span class="soft" dir="auto">
                  {row.link.title}
                </span>
              )}
            </a>
          )}
          <button
            type="button"
            class="not-this"
            aria-label={`${statistics.notThis} ${row.label}`}
            onClick={() => onPick(dimension, 'is-not', row.value, row.label)}
          >
            {statistics.notThis}
          </button>
        </li>
      ))}
    </ul>
  );
}

/** URL parameters to keep when the user opens a link's statistics from a list. */
const kept = ['period', 'compare', 'interval', 'zone', 'class', 'metric'] as const;

function pageOf(id: string, code: string): string {
  const asked = new URLSearchParams();
  for (const name of kept) {
    const value = query.peek().get(name);
    if (value !== null) asked.set(name, value);
  }
  return `${pageById(id, code)}${asked.size === 0 ? '' : `?${asked}`}`;
}
