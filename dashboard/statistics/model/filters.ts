import type { StatisticsDimension } from '../../../src/model/clicks/statistics.ts';
import { isDimension } from './dimensions.ts';

export const operators = ['is', 'is-not', 'contains'] as const;
export type Operator = (typeof operators)[number];

/** Filter condition. Clicks must match all filters. An empty string among the values stands for "unknown". */
export interface Filter {
  readonly dimension: StatisticsDimension;
  readonly operator: Operator;
  readonly values: readonly string[];
}

/** Parses a filter in the API and URL format, such as `country:is:DE,AT`. @returns undefined if invalid */
export function readFilter(text: string): Filter | undefined {
  const [dimension = '', operator = '', ...rest] = text.split(':');
  const known = operators.find((one) => one === operator);
  if (!isDimension(dimension) || known === undefined || rest.length !== 1) return undefined;
  const values = (rest[0] ?? '').split(',').map(decode);
  return { dimension, operator: known, values: known === 'contains' ? values.slice(0, 1) : values };
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

export function filterText({ dimension, operator, values }: Filter): string {
  const escaped = (value: string): string =>
    value.replace(/[%,:]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
  return `${dimension}:${operator}:${values.map(escaped).join(',')}`;
}

/**
 * Toggles a filter for a clicked value. `is` shows only clicks with this value; a second call removes the filter.
 * `is-not` excludes the value, in addition to values that are already excluded.
 */
export function toggled(
  filters: readonly Filter[],
  dimension: StatisticsDimension,
  operator: 'is' | 'is-not',
  value: string,
): readonly Filter[] {
  const at = filters.findIndex((one) => one.dimension === dimension && one.operator === operator);
  const found = filters[at];
  if (found === undefined) {
    // Remove the opposite filter for this dimension. Together, "is" and "is not" would match nothing or be redundant.
    const others = filters.filter((one) => one.dimension !== dimension || one.operator === 'contains');
    return [...others, { dimension, operator, values: [value] }];
  }
  const has = found.values.includes(value);
  const values = has ? found.values.filter((one) => one !== value) : [...found.values, value];
  if (operator === 'is' && !has) return filters.with(at, { ...found, values: [value] });
  return values.length === 0 ? filters.toSpliced(at, 1) : filters.with(at, { ...found, values });
}

/** Adds a value to the filter for a dimension, or removes the value if the filter contains it. */
export function withValue(
  filters: readonly Filter[],
  dimension: StatisticsDimension,
  value: string,
): readonly Filter[] {
  const at = filters.findIndex((one) => one.dimension === dimension && one.operator !== 'contains');
  const found = filters[at];
  if (found === undefined) return [...filters, { dimension, operator: 'is', values: [value] }];
  const values = found.values.filter((one) => one !== value);
  if (values.length === found.values.length) values.push(value);
  return values.length === 0 ? filters.toSpliced(at, 1) : filters.with(at, { ...found, values });
}

/** Inverts a filter. `contains` cannot be inverted. */
export function flipped(filter: Filter): Filter {
  if (filter.operator === 'contains') return filter;
  return { ...filter, operator: filter.operator === 'is' ? 'is-not' : 'is' };
}
