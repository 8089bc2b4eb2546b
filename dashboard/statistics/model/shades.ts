import type { Row } from './breakdown-rows.ts';

/**
 * Returns the shade of each country, 1 to 4, by quartiles of the countries with clicks. Quartiles keep a country with
 * very many clicks from making all other countries pale.
 */
export function shadesOf(rows: readonly Pick<Row, 'value' | 'count'>[]): ReadonlyMap<string, number> {
  const counted = rows.filter(({ value, count }) => value !== '' && count > 0);
  const sorted = counted.map(({ count }) => count).sort((a, b) => a - b);
  return new Map(
    counted.map(({ value, count }) => {
      const rank = sorted.filter((other) => other <= count).length / sorted.length;
      return [value, Math.max(1, Math.ceil(rank * 4))];
    }),
  );
}
