import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { number } from '../texts/format.ts';
import {
  areaPath,
  type Bar,
  barAt,
  barFor,
  type Chart,
  linePath,
  namedBuckets,
  stepPath,
} from './model/chart-model.ts';
import { dayOf, longMoment, shortMoment } from './model/moments.ts';
import type { Interval } from './model/ranges.ts';
import { t } from './texts.ts';

interface ChartProps {
  readonly chart: Chart;
  readonly interval: Interval;
  readonly what: string;
  readonly emptyText: string;
  /** Zooms into a range of buckets. */
  readonly onZoom: (first: string, last: string) => void;
  readonly onBack: () => void;
}

const height = 208;
const gutter = 44;
const axis = 28;
const head = 10;
/** Width of a bucket's label in px. */
const nameWidth = 84;

/** Bar chart over time, or area chart if there are too many bars. A dashed line shows the previous period. */
export function ChartView({ chart, interval, what, emptyText, onZoom, onBack }: ChartProps) {
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  const [at, setAt] = useState<number>();
  const [dragFrom, setDragFrom] = useState<number>();
  const { bars } = chart;
  const plot = Math.max(0, width - gutter);
  useLayoutEffect(() => {
    if (box.current === null) return undefined;
    const seen = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)));
    seen.observe(box.current);
    return () => seen.disconnect();
  }, []);

  const barUnder = (event: PointerEvent): number => {
    const left = (box.current?.getBoundingClientRect().left ?? 0) + gutter;
    return barAt((event.clientX - left) / Math.max(1, plot), bars.length);
  };
  const zoom = (one: number, other: number) => {
    const [first, last] = [bars[Math.min(one, other)], bars[Math.max(one, other)]];
    if (first !== undefined && last !== undefined) onZoom(first.bucket.start, last.bucket.start);
  };
  const bar = at === undefined ? undefined : bars[Math.min(at, bars.length - 1)];
  const first = bars[0]?.bucket.start ?? '';
  const label = t.statistics.chart(
    what,
    longMoment(first, interval),
    longMoment(bars.at(-1)?.bucket.start ?? first, interval),
  );

  return (
    <div
      ref={box}
      class="chart"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys move over the bars
      tabIndex={0}
      role="group"
      aria-label={`${label}. ${t.statistics.chartHelp}`}
      onKeyDown={(event) => {
        if (event.ctrlKey || event.metaKey || event.altKey) return;
        const next = barFor(event.key, at, bars.length);
        if (next !== undefined) setAt(next);
        else if (event.key === 'Enter' && at !== undefined) zoom(at, at);
        else if (event.key === 'Backspace') onBack();
        else if (event.key === 'Escape' && at !== undefined) setAt(undefined);
        else return;
        event.preventDefault();
      }}
      onBlur={() => setAt(undefined)}
      onPointerMove={(event) => setAt(barUnder(event))}
      onPointerLeave={({ pointerType }) => pointerType !== 'touch' && setAt(undefined)}
      onPointerDown={(event) => {
        // Touch must still scroll the page. A tapped bar stays selected until the next tap.
        if (event.button !== 0 || event.pointerType === 'touch') return setAt(barUnder(event));
        box.current?.setPointerCapture(event.pointerId);
        setDragFrom(barUnder(event));
      }}
      onPointerUp={(event) => {
        const to = barUnder(event);
        if (dragFrom !== undefined && dragFrom !== to) zoom(dragFrom, to);
        setDragFrom(undefined);
      }}
      onPointerCancel={() => setDragFrom(undefined)}
      onDblClick={() => at !== undefined && zoom(at, at)}
    >
      {width > 0 && <Drawing chart={chart} interval={interval} width={width} at={at} from={dragFrom} />}
      {chart.isEmpty && <p class="chart-empty">{emptyText}</p>}
      <p class="unseen" role="status">
        {bar === undefined ? '' : spoken(bar, interval)}
      </p>
      {bar !== undefined && at !== undefined && (
        <Tooltip bar={bar} interval={interval} left={gutter} plot={plot} at={at} count={bars.length} />
      )}
    </div>
  );
}

interface DrawingProps {
  readonly chart: Chart;
  readonly interval: Interval;
  readonly width: number;
  /** Index of the bar under the pointer. `from` is the bar where the press started. */
  readonly at: number | undefined;
  readonly from: number | undefined;
}

function Drawing({ chart, interval, width, at, from }: DrawingProps) {
  const { bars } = chart;
  const plot = Math.max(0, width - gutter);
  const tall = head + height + axis;
  return (
    <svg width={width} height={tall} viewBox={`0 0 ${width} ${tall}`} aria-hidden="true">
      <g transform={`translate(${gutter} ${head})`}>
        <Grid chart={chart} width={plot} />
        {at !== undefined && <Band chart={chart} from={from ?? at} to={at} width={plot} />}
        {chart.isArea ? (
          <Areas chart={chart} width={plot} />
        ) : (
          <Bars bars={bars} top={chart.top} width={plot} />
        )}
        <Before chart={chart} width={plot} />
        <line class="base" x1={0} x2={plot} y1={height} y2={height} />
        <Names bars={bars} interval={interval} width={plot} />
      </g>
    </svg>
  );
}

function spoken(bar: Bar, interval: Interval): string {
  const { before, bucket, total } = bar;
  const earlier =
    before === undefined ? '' : `; ${longMoment(before.bucket.start, interval)}: ${number(before.total)}`;
  return `${longMoment(bucket.start, interval)}: ${number(total)}${earlier}`;
}

function Grid({ chart: { ticks, top }, width }: { chart: Chart; width: number }) {
  return (
    <>
      {ticks.map((tick) => {
        const y = Math.round(height * (1 - tick / top)) + 0.5;
        return (
          <g key={tick}>
            {tick > 0 && <line class="grid" x1={0} x2={width} y1={y} y2={y} />}
            <text class="tick" x={-10} y={y} text-anchor="end" dominant-baseline="middle">
              {number(tick)}
            </text>
          </g>
        );
      })}
    </>
  );
}

/** Highlights the hovered bar or the dragged range. */
function Band({ chart, from, to, width }: { chart: Chart; from: number; to: number; width: number }) {
  const wide = width / chart.bars.length;
  return (
    <rect
      class="band"
      x={Math.min(from, to) * wide}
      y={0}
      width={(Math.abs(to - from) + 1) * wide}
      height={height}
    />
  );
}

function Bars({ bars, top, width }: { bars: readonly Bar[]; top: number; width: number }) {
  const wide = width / Math.max(1, bars.length);
  // Use whole pixels, so that bars are sharp and have the same width.
  const thick = Math.max(1, Math.min(48, Math.floor(wide * 0.8)));
  return (
    <>
      {bars.map((bar, at) => {
        const x = Math.round(at * wide + (wide - thick) / 2);
        return (
          <g key={bar.bucket.start} class={bar.isOpen ? 'open' : undefined}>
            {bar.isOpen && (
              <rect
                class="paper"
                x={x}
                y={height * (1 - bar.total / top)}
                width={thick}
                height={height * (bar.total / top)}
              />
            )}
            {bar.parts.map(({ name, from, to, value }) => {
              if (value === 0) return null;
              const y = height * (1 - to);
              // Leave a gap of one pixel between classes. Every value above zero gets at least one pixel.
              const tall = Math.max(1, height * (to - from) - (from > 0 ? 1 : 0));
              return <rect key={name} class={`d-${name}`} x={x} y={y} width={thick} height={tall} />;
            })}
          </g>
        );
      })}
    </>
  );
}

function Areas({ chart: { bars }, width }: { chart: Chart; width: number }) {
  const names = bars[0]?.parts.map(({ name }) => name) ?? [];
  return (
    <>
      {names.map((name, part) => (
        <path key={name} class={`d-${name} area`} d={areaPath(bars, part, width, height)} />
      ))}
    </>
  );
}

function Before({ chart: { bars, top, isArea }, width }: { chart: Chart; width: number }) {
  const values = bars.flatMap(({ before }) => (before === undefined ? [] : [before.total]));
  if (values.length === 0 || values.every((value) => value === 0)) return null;
  const draw = isArea ? linePath : stepPath;
  const path = draw(values, top, (width * values.length) / bars.length, height);
  return <path class="before" d={path} />;
}

function Names({ bars, interval, width }: { bars: readonly Bar[]; interval: Interval; width: number }) {
  const wide = width / Math.max(1, bars.length);
  const isWholeDay = new Set(bars.map(({ bucket }) => dayOf(bucket.start))).size === 1;
  const room = Math.max(2, Math.floor(width / nameWidth));
  return (
    <>
      {namedBuckets(bars.length, room).map((at) => {
        const bar = bars[at];
        if (bar === undefined) return null;
        const isLast = at === bars.length - 1 && bars.length > 1;
        // In narrow buckets, align the first and last labels with the edges of the chart, because centered labels would
        // overflow.
        const isNarrow = wide < nameWidth;
        const anchor = isNarrow && isLast ? 'end' : isNarrow && at === 0 ? 'start' : 'middle';
        const isNow = bar.isOpen && (interval === 'day' || interval === 'hour');
        return (
          <text
            key={at}
            class="tick"
            x={anchor === 'end' ? width : anchor === 'start' ? Math.min(2, wide / 2) : (at + 0.5) * wide}
            y={height + 20}
            text-anchor={anchor}
          >
            {isNow
              ? interval === 'day'
                ? t.statistics.today
                : t.statistics.now
              : shortMoment(bar.bucket.start, interval, isWholeDay)}
          </text>
        );
      })}
    </>
  );
}

const tooltipWidth = 232;

interface TooltipProps {
  readonly bar: Bar;
  readonly interval: Interval;
  readonly left: number;
  readonly plot: number;
  readonly at: number;
  readonly count: number;
}

/** Tooltip next to the bar. Never covers the bar. */
function Tooltip({ bar, interval, left, plot, at, count }: TooltipProps) {
  const wide = plot / count;
  const right = left + (at + 1) * wide + 8;
  const x = right + tooltipWidth <= left + plot ? right : Math.max(0, left + at * wide - 8 - tooltipWidth);
  const { statistics } = t;
  return (
    <div class="chart-tip" aria-hidden="true" style={{ translate: `${Math.round(x)}px 0` }}>
      <strong>
        {longMoment(bar.bucket.start, interval)}
        {bar.isOpen && <span class="soft"> · {statistics.notOver}</span>}
      </strong>
      {bar.parts.map(({ name, value }) => (
        <span key={name} class="line">
          <i class={`swatch d-${name}`} />
          {name === 'visitors' ? statistics.metrics.visitors : statistics.classes[name]}
          <b>{number(value)}</b>
        </span>
      ))}
      {bar.before !== undefined && (
        <span class="line earlier">
          <i class="dash" />
          {longMoment(bar.before.bucket.start, interval)}
          <b>{number(bar.before.total)}</b>
        </span>
      )}
    </div>
  );
}
