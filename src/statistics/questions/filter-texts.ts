import { clickClasses } from '../../model/clicks/clicks.ts';
import {
  type FilterOperator,
  filterOperators,
  type StatisticsDimension,
  type StatisticsFilter,
  statisticsDimensions,
} from '../../model/clicks/statistics.ts';
import { isId } from '../../model/ids.ts';

/** The limit of values in a filter, and of a value's length in characters. */
export const maxValues = 100;
const longestValue = 255;

/**
 * Reads `dimension:operator:value,value`, whose values are percent-encoded (CONTRACT §9). Words are read in any case where
 * they are kept in one.
 * @returns the filter, or a sentence that says what is wrong with it
 */
export function readFilter(text: string): StatisticsFilter | string {
  const [, dimension = '', operator = '', list] = /^([^:]*):([^:]*):(.*)$/su.exec(text) ?? [];
  const shown = `filter "${shortened(text)}"`;
  if (list === undefined) return `${shown} must be dimension:operator:values, such as country:is:DE,FR.`;
  if (!isDimension(dimension))
    return `${shown} names no dimension; there are ${statisticsDimensions.join(', ')}.`;
  if (!isOperator(operator)) return `${shown} names no operator; there are ${filterOperators.join(', ')}.`;
  if (list.includes(':'))
    return `${shown} has a colon in its values; write it as %3A, or give a second filter as a parameter of its own.`;
  const given = list.split(',');
  if (given.length > maxValues) return `${shown} must have at most ${maxValues} values.`;
  const values: string[] = [];
  for (const one of given) {
    const value = decoded(one);
    if (value === undefined) return `${shown} has a malformed percent-encoding; write % as %25.`;
    const wrong = wrongWith(dimension, operator, value);
    if (wrong !== undefined) return `${shown} ${wrong}`;
    values.push(spelled(dimension, value));
  }
  return { dimension, operator, values };
}

function isDimension(word: string): word is StatisticsDimension {
  return (statisticsDimensions as readonly string[]).includes(word);
}
function isOperator(word: string): word is FilterOperator {
  return (filterOperators as readonly string[]).includes(word);
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

const withIds: ReadonlySet<StatisticsDimension> = new Set(['link', 'folder']);

/** What is wrong with a value, behind the words that say which filter it is; undefined when nothing is. */
function wrongWith(
  dimension: StatisticsDimension,
  operator: FilterOperator,
  value: string,
): string | undefined {
  if (/\p{Cc}/u.test(value)) return 'must not contain control characters.';
  if ([...value].length > longestValue) return `must have values of at most ${longestValue} characters.`;
  if (operator === 'contains') {
    if (dimension === 'class' || withIds.has(dimension))
      return `cannot be: ${dimension} has no text to be contained; use is or is-not.`;
    return value === '' ? 'must have a text behind contains.' : undefined;
  }
  if (dimension === 'class' && !(clickClasses as readonly string[]).includes(value.toLowerCase()))
    return `may have the values ${clickClasses.join(', ')}.`;
  if (dimension === 'link' && !isId(value)) return 'must have ids of links as its values.';
  if (dimension === 'folder' && value !== '' && !isId(value))
    return 'must have ids of folders as its values; an empty value stands for no folder.';
  return undefined;
}

/** Campaigns, regions and names of rules are kept as they were written. */
const asWritten: ReadonlySet<StatisticsDimension> = new Set([
  ...(['region', 'utmSource', 'utmMedium', 'utmCampaign', 'utmTerm', 'utmContent', 'rule'] as const),
]);

function spelled(dimension: StatisticsDimension, value: string): string {
  if (asWritten.has(dimension)) return value;
  return dimension === 'country' ? value.toUpperCase() : value.toLowerCase();
}

const longestShown = 60;
function shortened(text: string): string {
  const shown = text.replace(/\p{Cc}/gu, ' ');
  return shown.length > longestShown ? `${shown.slice(0, longestShown)}…` : shown;
}
