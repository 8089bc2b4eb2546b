import type { StatisticsDimension } from '../../src/model/clicks/statistics.ts';
import { number } from '../texts/format.ts';
import { Change } from './figures.tsx';
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

/** Bars as buttons: a click shows only these clicks, with Shift all others. */
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
              {row.label}
            </span>
            <span class="count">{number(row.count)}</span>
            {row.change !== undefined && <Change share={row.change} />}
          </button>
          <button
            type="button"
            class="not-this"
            aria-label={statistics.notHelp(row.label)}
            onClick={() => onPick(dimension, 'is-not', row.value, row.label)}
          >
            {statistics.notThis}
          </button>
        </li>
      ))}
    </ul>
  );
}
