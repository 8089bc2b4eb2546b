import { useRef, useState } from 'preact/hooks';
import { Button } from '../components/button.tsx';
import { Icon } from '../components/icon.tsx';
import { MenuButton, type MenuItem } from '../components/menu.tsx';
import { Popover } from '../components/popover.tsx';
import { type Day, daysIn, firstOfMonth, lastOfMonth } from './model/days.ts';
import { daysText, monthText } from './model/moments.ts';
import {
  type Comparison,
  comparisonText,
  type Days,
  type Interval,
  intervalsFor,
  type Now,
  type Period,
  presetKeys,
  presets,
  wholeMonths,
} from './model/ranges.ts';
import { t } from './texts.ts';

/** Returns the label for a period. */
function periodName(period: Period): string {
  if (period.kind === 'preset') return t.statistics.presets[period.preset];
  const { first, last } = period;
  const isMonth = first === firstOfMonth(first) && last === lastOfMonth(first);
  return isMonth ? monthText(first) : daysText(period);
}

function previousName(days: Days, now: Now): string {
  const months = wholeMonths(days, now);
  return months > 0 ? t.statistics.monthsBefore(months) : t.statistics.before(daysIn(days.first, days.last));
}

interface PeriodProps {
  readonly period: Period;
  readonly days: Days;
  readonly now: Now;
  readonly onChange: (period: Period) => void;
  readonly onShift: (steps: number) => void;
}

export function PeriodControl({ period, days, now, onChange, onShift }: PeriodProps) {
  const { statistics } = t;
  const [isAsking, setAsking] = useState(false);
  const anchor = useRef<HTMLSpanElement>(null);
  const items = (): MenuItem[] => [
    ...presets.map((preset) => ({
      label: statistics.presets[preset],
      keys: presetKeys[preset],
      isChosen: period.kind === 'preset' && period.preset === preset,
      onSelect: () => onChange({ kind: 'preset', preset }),
    })),
    { label: statistics.dates, isChosen: period.kind === 'days', onSelect: () => setAsking(true) },
  ];
  const isAll = period.kind === 'preset' && period.preset === 'all';
  return (
    <span class="period" ref={anchor}>
      <MenuButton icon="calendar" items={items} menuLabel={statistics.period} class="drop">
        <span class="cut">{periodName(period)}</span>
        <Icon name="down" size={14} />
      </MenuButton>
      {!isAll && (
        <>
          <Button
            kind="quiet"
            icon="previous"
            class="step"
            label={`${statistics.earlier} (,)`}
            onClick={() => onShift(-1)}
          />
          <Button
            kind="quiet"
            icon="next"
            class="step"
            label={`${statistics.later} (.)`}
            disabledReason={days.last >= now.day ? statistics.today : undefined}
            onClick={() => onShift(1)}
          />
        </>
      )}
      {isAsking && (
        <AskDays
          anchor={anchor}
          days={days}
          most={now.day}
          label={statistics.dates}
          onClose={() => setAsking(false)}
          onTake={(taken) => {
            setAsking(false);
            onChange({ kind: 'days', ...taken });
          }}
        />
      )}
    </span>
  );
}

interface ComparisonProps {
  readonly comparison: Comparison;
  readonly days: Days;
  readonly now: Now;
  readonly onChange: (comparison: Comparison) => void;
}

export function ComparisonControl({ comparison, days, now, onChange }: ComparisonProps) {
  const { statistics } = t;
  const [isAsking, setAsking] = useState(false);
  const anchor = useRef<HTMLSpanElement>(null);
  const names = {
    previous: previousName(days, now),
    year: statistics.yearBefore,
    none: statistics.noComparison,
  };
  const items = (): MenuItem[] => [
    ...(['previous', 'year', 'none'] as const).map((one) => ({
      label: names[one],
      isChosen: comparison === one,
      onSelect: () => onChange(one),
    })),
    {
      label: statistics.dates,
      isChosen: typeof comparison !== 'string',
      onSelect: () => setAsking(true),
    },
  ];
  return (
    <span class="compared" ref={anchor}>
      <MenuButton items={items} menuLabel={statistics.comparison} class="drop comparison">
        <i class="dash" aria-hidden="true" />
        <span class="cut">{typeof comparison === 'string' ? names[comparison] : daysText(comparison)}</span>
        <Icon name="down" size={14} />
      </MenuButton>
      {isAsking && (
        <AskDays
          anchor={anchor}
          days={typeof comparison === 'string' ? days : comparison}
          most={now.day}
          label={comparisonText(comparison)}
          onClose={() => setAsking(false)}
          onTake={(taken) => {
            setAsking(false);
            onChange(taken);
          }}
        />
      )}
    </span>
  );
}

interface AskDaysProps {
  readonly anchor: { readonly current: HTMLElement | null };
  readonly days: Days;
  readonly most: Day;
  readonly label: string;
  readonly onTake: (days: Days) => void;
  readonly onClose: () => void;
}

/** Popover for a custom date range, with native date inputs. */
function AskDays({ anchor, days, most, label, onTake, onClose }: AskDaysProps) {
  const [first, setFirst] = useState(days.first);
  const [last, setLast] = useState(days.last);
  const { statistics } = t;
  const isWrong = first > last;
  const field = (name: string, value: Day, set: (day: Day) => void) => (
    <label class="field">
      <span class="label">{name}</span>
      <span class="input">
        <input
          type="date"
          required
          max={most}
          value={value}
          aria-invalid={isWrong ? true : undefined}
          onInput={(event) => set(event.currentTarget.value)}
        />
      </span>
    </label>
  );
  return (
    <Popover anchor={anchor} class="ask-days" label={label} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (!isWrong) onTake({ first, last });
        }}
      >
        {field(statistics.from, first, setFirst)}
        {field(statistics.to, last, setLast)}
        {isWrong && (
          <p class="error" role="alert">
            {statistics.wrongOrder}
          </p>
        )}
        <Button kind="primary" type="submit">
          {t.apply}
        </Button>
      </form>
    </Popover>
  );
}

interface BucketProps {
  readonly interval: Interval;
  readonly days: Days;
  readonly onChange: (interval: Interval) => void;
}

export function IntervalControl({ interval, days, onChange }: BucketProps) {
  const { statistics } = t;
  const possible = intervalsFor(days);
  if (possible.length < 2) return <span class="small soft">{statistics.intervals[interval]}</span>;
  const items = (): MenuItem[] =>
    possible.map((one) => ({
      label: statistics.intervals[one],
      isChosen: one === interval,
      onSelect: () => onChange(one),
    }));
  return (
    <MenuButton kind="quiet" size="small" items={items} menuLabel={statistics.by}>
      {statistics.intervals[interval]}
      <Icon name="down" size={14} />
    </MenuButton>
  );
}

/** Time zone picker. Uses a native select, so that scrolling and type-ahead work with every keyboard and phone. */
export function ZoneControl({
  zone,
  onChange,
}: {
  readonly zone: string;
  readonly onChange: (zone: string) => void;
}) {
  const known = Intl.supportedValuesOf('timeZone');
  const zones = [...new Set(['UTC', zone, ...known])];
  return (
    <label class="zone">
      <span class="unseen">{t.statistics.zone}</span>
      <Icon name="globe" size={14} />
      <select value={zone} onChange={(event) => onChange(event.currentTarget.value)}>
        {zones.map((one) => (
          <option key={one} value={one}>
            {one.replaceAll('_', ' ')}
          </option>
        ))}
      </select>
      <Icon name="down" size={14} />
    </label>
  );
}
