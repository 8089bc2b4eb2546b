import { dayAndMonth, number } from '../texts/format.ts';
import { t } from '../texts/texts.ts';

const height = 24;
const step = 3.0667;
const dayMs = 86_400_000;

/**
 * Bar chart of daily clicks. The newest day is on the right and highlighted. Each sparkline has its own scale. Bars of
 * the same kind share one path, because lists would otherwise have hundreds of elements.
 */
export function Sparkline({
  days,
  hasEnded = false,
}: {
  readonly days: readonly number[];
  readonly hasEnded?: boolean;
}) {
  const most = Math.max(...days, 1);
  const today = days.length - 1;
  const bars = { none: '', past: '', now: '' };
  for (const [day, clicks] of days.entries()) {
    const tall = clicks === 0 ? 1 : Math.max(2, Math.round((clicks / most) * height));
    const kind = clicks === 0 ? 'none' : day === today ? 'now' : 'past';
    bars[kind] += `M${(day * step).toFixed(2)} ${height}v-${tall}h2v${tall}z`;
  }
  return (
    <svg
      class={`sparkline ${hasEnded ? 'ended' : ''}`}
      viewBox={`0 0 ${Math.round(step * days.length)} ${height}`}
      role="img"
      aria-label={describe(days)}
    >
      {Object.entries(bars).map(([kind, d]) => d !== '' && <path key={kind} class={kind} d={d} />)}
    </svg>
  );
}

/** Returns the alternative text, such as "18 a day, most on 7 November". */
function describe(days: readonly number[], now = Date.now()): string {
  const sum = days.reduce((total, clicks) => total + clicks, 0);
  if (sum === 0) return t.sparkline.none(days.length);
  const most = days.lastIndexOf(Math.max(...days));
  const day = dayAndMonth(now - (days.length - 1 - most) * dayMs);
  const average = Math.round(sum / days.length);
  return average === 0 ? t.sparkline.few(sum, days.length, day) : t.sparkline.some(number(average), day);
}
