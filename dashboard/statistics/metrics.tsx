import { change, number } from '../texts/format.ts';
import { type Answer, changeOf, figureOf } from './model/answer.ts';
import { type ClickClass, classes, type Metric, metrics, type State } from './model/state.ts';
import { t } from './texts.ts';

/**
 * Shows the change from the previous period. Rises are green. Falls are not red, because fewer clicks are not an error.
 */
export function Change({ share }: { readonly share: number | 'new' | undefined }) {
  if (share === undefined) return null;
  if (share === 'new') return <span class="change">{t.statistics.new}</span>;
  return <span class={`change ${share >= 0.005 ? 'up' : ''}`}>{change(share)}</span>;
}

interface MetricsProps {
  readonly state: State;
  readonly main: Answer | undefined;
  readonly scans: Answer | undefined;
  readonly isManyDays: boolean;
  readonly onChoose: (metric: Metric) => void;
}

/** Buttons with the total for each metric. Clicking a total shows its metric in the chart. */
export function Metrics({ state, main, scans, isManyDays, onChoose }: MetricsProps) {
  const { statistics } = t;
  return (
    <div class="figures" role="group" aria-label={statistics.figures}>
      {metrics.map((metric) => {
        const answer = metric === 'scans' ? scans : main;
        const total = answer && figureOf(answer.totals, metric, state.classes);
        const before = answer?.compare && figureOf(answer.compare.totals, metric, state.classes);
        const isEstimated = metric === 'visitors' && answer?.visitorsExact === false;
        const title = metric === 'visitors' && isManyDays ? statistics.sumOfDays : '';
        return (
          <button
            key={metric}
            type="button"
            class="figure-choice"
            aria-pressed={state.metric === metric}
            title={`${title}${isEstimated ? ` ${statistics.estimated}` : ''}` || undefined}
            onClick={() => onChoose(metric)}
          >
            <span class="label">{statistics.metrics[metric]}</span>
            <span class="value">
              <span class="figure">
                {total === undefined ? <i class="skeleton" /> : `${isEstimated ? '≈ ' : ''}${number(total)}`}
              </span>
              {total !== undefined && before !== undefined && <Change share={changeOf(total, before)} />}
            </span>
          </button>
        );
      })}
    </div>
  );
}

interface ClassSwitchProps {
  readonly shown: readonly ClickClass[];
  /** Counts for all classes, visible or not. */
  readonly totals: Answer['totals'] | undefined;
  readonly onToggle: (one: ClickClass) => void;
}

export function ClassSwitch({ shown, totals, onToggle }: ClassSwitchProps) {
  return (
    <div class="class-switch" role="group" aria-label={t.statistics.classSwitch}>
      {classes.map((name) => (
        <label key={name} class={`option class-${name}`}>
          <input
            type="checkbox"
            class="check"
            checked={shown.includes(name)}
            // The last visible class cannot be turned off, because the chart would be empty.
            onChange={(event) => {
              event.currentTarget.checked = shown.includes(name);
              onToggle(name);
            }}
          />
          <span>
            {t.statistics.classes[name]}{' '}
            <span class="soft">{totals === undefined ? '' : number(totals[name])}</span>
          </span>
        </label>
      ))}
    </div>
  );
}
