import { useRef } from 'preact/hooks';
import { Button } from '../components/button.tsx';
import { Failure } from '../components/states.tsx';
import { dateAndTime } from '../texts/format.ts';
import type { useAnswer } from './ask.ts';
import { ChartView } from './chart.tsx';
import { IntervalControl, ZoneControl } from './controls.tsx';
import { intervalOf } from './model/answer.ts';
import { chartOf } from './model/chart-model.ts';
import { daysOfBuckets } from './model/moments.ts';
import { intervals } from './model/ranges.ts';
import { ChartTable } from './table.tsx';
import { t } from './texts.ts';
import type { View } from './view.ts';

interface TimelineProps {
  readonly view: View;
  readonly shown: ReturnType<typeof useAnswer>;
  readonly incompleteBefore: string | undefined;
}

/** Clicks over time, with a chart, an interval selector and a table. */
export function Timeline({ view: { state, change, days }, shown, incompleteBefore }: TimelineProps) {
  const { statistics } = t;
  const { answer, error } = shown;
  const zoomed = useRef(0);
  const interval = intervals.find((one) => one === answer?.interval) ?? intervalOf(state, days);
  const chart = answer && chartOf(answer, state.metric, state.classes, Date.now());
  const what = statistics.metrics[state.metric];
  const zoom = (first: string, last: string) => {
    const inside = daysOfBuckets(first, last, interval, days);
    if (inside === undefined) return;
    zoomed.current += 1;
    change({ period: { kind: 'days', ...inside }, interval: undefined });
  };
  const back = () => {
    if (zoomed.current === 0) return;
    zoomed.current -= 1;
    history.back();
  };
  return (
    <>
      <div class={`chart-place ${shown.isOld && answer !== undefined ? 'old' : ''}`}>
        {error !== undefined ? (
          <Failure title={statistics.failed} error={error} onRetry={shown.retry} />
        ) : chart === undefined ? (
          <div class="chart-waiting" aria-hidden="true" />
        ) : (
          <ChartView
            chart={chart}
            interval={interval}
            what={what}
            emptyText={state.filters.length > 0 ? statistics.noneFiltered : statistics.none}
            onZoom={zoom}
            onBack={back}
          />
        )}
      </div>
      <div class="chart-foot">
        <IntervalControl interval={interval} days={days} onChange={(one) => change({ interval: one })} />
        <ZoneControl zone={state.zone} onChange={(zone) => change({ zone })} />
        <Button
          kind="quiet"
          size="small"
          rest={{ 'aria-expanded': state.hasTable }}
          onClick={() => change({ hasTable: !state.hasTable }, { replace: true })}
        >
          {state.hasTable ? statistics.noTable : statistics.table}
        </Button>
      </div>
      {incompleteBefore !== undefined && (
        <p class="small warn-text">{statistics.incomplete(dateAndTime(incompleteBefore))}</p>
      )}
      {state.hasTable && chart !== undefined && <ChartTable chart={chart} interval={interval} what={what} />}
    </>
  );
}
