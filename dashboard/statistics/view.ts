import type { StatisticsDimension } from '../../src/model/clicks/statistics.ts';
import { address, go } from '../browser/location.ts';
import { useShortcuts } from '../browser/shortcuts.ts';
import { useEarliest } from './earliest.ts';
import { useLive, useTurns } from './live.ts';
import { questionFor, type Subject } from './model/answer.ts';
import type { Day } from './model/days.ts';
import { dimensionsOf, type Panel } from './model/dimensions.ts';
import { daysOf, nowIn, type Preset, presetKeys, presets, shifted } from './model/ranges.ts';
import { classes, readState, type State, withClassAlone, withState } from './model/state.ts';

const ownZone = Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';

export type View = ReturnType<typeof useView>;

/**
 * Derives the state and the queries from the URL.
 * @param since earliest possible day of a click
 * @param reading counter that increases when all data must be reloaded
 */
export function useView(subject: Subject, since: Day | undefined, reading: number) {
  const state = readState(address.value.searchParams, ownZone);
  const change = (changes: Partial<State>, { replace = false } = {}) => {
    const query = withState(address.peek().searchParams, { ...state, ...changes }, ownZone).toString();
    go(`${address.peek().pathname}${query === '' ? '' : `?${query}`}`, { replace });
  };
  const now = nowIn(state.zone, Date.now());
  const isAll = state.period.kind === 'preset' && state.period.preset === 'all';
  const earliest = useEarliest(subject, state.zone, isAll ? since : undefined, isAll);
  const days = daysOf(state.period, now, earliest);
  const isWaiting = isAll && earliest === undefined;
  const isOpen = days.last >= now.day;
  // Don't follow a share live, because its readers have a lower rate limit. Readers see new clicks when they return to
  // the page.
  const live = useLive(subject, isOpen && !subject.isShared);
  const turn = useTurns(subject, isOpen, live) + reading;
  /** Returns the query with additional parameters, or undefined while the first day is unknown. */
  const ask = (more: Parameters<typeof questionFor>[3]) =>
    isWaiting ? undefined : questionFor(isAll ? { ...state, comparison: 'none' } : state, days, now, more);
  const shift = (steps: number) => change({ period: shifted(state.period, steps, now) });
  return { subject, state, change, now, isAll, days, live, turn, ask, shift };
}

/** Returns the dimension that a panel shows. */
export function chosenIn({ subject, state }: View, panel: Panel): StatisticsDimension {
  const possible = dimensionsOf(panel, subject.kind);
  return possible.find((one) => state.by.includes(one)) ?? possible[0] ?? 'referrer';
}

/** Registers keyboard shortcuts for periods, comparison and classes. */
export function useViewKeys({ state, change, shift }: View, onFilter: () => void): void {
  useShortcuts({
    ...Object.fromEntries(
      presets.map((preset: Preset) => [
        presetKeys[preset],
        () => change({ period: { kind: 'preset', preset } }),
      ]),
    ),
    ',': () => shift(-1),
    '.': () => shift(1),
    x: () => change({ comparison: state.comparison === 'none' ? 'previous' : 'none' }),
    ...Object.fromEntries(
      classes.map((one, at) => [String(at + 1), () => change(withClassAlone(state, one), { replace: true })]),
    ),
    f: onFilter,
  });
}
