import { dayAndMonth, number } from '../texts/format.ts';
import { t } from '../texts/texts.ts';

const height = 24;
const step = 3.0667;
const dayMs = 86_400_000;

/** Clicks of the last days, the newest at the right and accented. Each has its own maximum. */
export function Sparkline({
  days,
  hasEnded = false,
}: {
  readonly days: readonly number[];
  readonly hasEnded?: boolean;
}) {
  const most = Math.max(...days, 1);
  return (
    <svg
      class={`sparkline ${hasEnded ? 'ended' : ''}`}
      viewBox={`0 0 ${Math.round(step * days.length)} ${height}`}
      role="img"
      aria-label={describe(days)}
    >
      {days.map((clicks, day) => {
        const tall = clicks === 0 ? 1 : Math.max(2, Math.round((clicks / most) * height));
        return (
          <rect
            key={day}
            class={clicks === 0 ? 'none' : day === days.length - 1 ? 'now' : undefined}
            x={(day * step).toFixed(2)}
            y={height - tall}
            width="2"
            height={tall}
          />
        );
      })}
    </svg>
  );
}

/** "18 a day, most on 7 November" */
function describe(days: readonly number[], now = Date.now()): string {
  const sum = days.reduce((total, clicks) => total + clicks, 0);
  if (sum === 0) return t.sparkline.none(days.length);
  const most = days.lastIndexOf(Math.max(...days));
  const day = dayAndMonth(now - (days.length - 1 - most) * dayMs);
  const average = Math.round(sum / days.length);
  return average === 0 ? t.sparkline.few(sum, days.length, day) : t.sparkline.some(number(average), day);
}
