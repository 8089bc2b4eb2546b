import { number } from '../texts/format.ts';
import type { Row } from './model/breakdown-rows.ts';
import { shadesOf } from './model/shades.ts';
import { t } from './texts.ts';
import { world, worldSize } from './world.ts';

interface MapProps {
  readonly rows: readonly Row[];
  readonly onPick: (code: string, label: string) => void;
}

/** World map of clicks, as a visual aid. The list below contains exact counts and is accessible by keyboard. */
export function WorldMap({ rows, onPick }: MapProps) {
  const shades = shadesOf(rows);
  const rowOf = new Map(rows.map((row) => [row.value, row]));
  return (
    <svg
      class="world"
      viewBox={`0 0 ${worldSize[0]} ${worldSize[1]}`}
      role="img"
      aria-label={t.statistics.map}
    >
      {Object.entries(world).map(([code, path]) => {
        const row = rowOf.get(code);
        return (
          <path
            key={code}
            class={`shade-${shades.get(code) ?? 0}`}
            d={path}
            onClick={row === undefined ? undefined : () => onPick(code, row.label)}
          >
            {row !== undefined && <title>{`${row.label}: ${number(row.count)}`}</title>}
          </path>
        );
      })}
    </svg>
  );
}
