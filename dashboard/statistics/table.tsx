import { number } from '../texts/format.ts';
import type { Chart } from './model/chart-model.ts';
import { longMoment } from './model/moments.ts';
import type { Interval } from './model/ranges.ts';
import { t } from './texts.ts';

/** Table with the chart's data. */
export function ChartTable({ chart, interval, what }: { chart: Chart; interval: Interval; what: string }) {
  const { statistics } = t;
  const parts = chart.bars[0]?.parts ?? [];
  const hasBefore = chart.bars.some(({ before }) => before !== undefined);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable table must be reachable by keyboard
    <div class="chart-table" tabIndex={0} role="region" aria-label={what}>
      <table class="ledger">
        <thead>
          <tr>
            <th scope="col">{statistics.start}</th>
            {parts.length > 1 &&
              parts.map(({ name }) => (
                <th key={name} scope="col" class="number">
                  {name === 'visitors' ? statistics.metrics.visitors : statistics.classes[name]}
                </th>
              ))}
            <th scope="col" class="number">
              {parts.length > 1 ? statistics.total : what}
            </th>
            {hasBefore && (
              <th scope="col" class="number">
                {statistics.beforeTotal}
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {chart.bars.map(({ bucket, parts, total, before }) => (
            <tr key={bucket.start}>
              <th scope="row">{longMoment(bucket.start, interval)}</th>
              {parts.length > 1 &&
                parts.map(({ name, value }) => (
                  <td key={name} class="number">
                    {number(value)}
                  </td>
                ))}
              <td class="number">{number(total)}</td>
              {hasBefore && <td class="number">{before === undefined ? '' : number(before.total)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
