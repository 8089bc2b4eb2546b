import { clickClasses } from '../../model/clicks/clicks.ts';
import {
  type FilterOperator,
  filterOperators,
  type StatisticsDimension,
  type StatisticsFilter,
  statisticsDimensions,
} from '../../model/clicks/statistics.ts';
import { isId } from '../../model/ids.ts';

/** Maximum number of values per filter, and of characters per value. */
export const maxValues = 100;
const maxValueLength = 255;

/**
 * Parses `dimension:operator:value,value` with percent-encoded values (CONTRACT §9). Values are case-insensitive,
 * except for the dimensions in `caseSensitive`.
 * @returns the filter, or a sentence that describes the validation error
 */
export function readFilter(text: string): StatisticsFilter | string {
  const [, dimension = '', operator = '', list] = /^([^:]*):([^:]*):(.*)$/su.exec(text) ?? [];
  const shown = `filter "${shorten(text)}"`;
  if (list === undefined) return `${shown} must be dimension:operator:values, such as country:is:DE,FR.`;
  if (!isDimension(dimension))
    return `${shown} has an unknown dimension. Dimensions: ${statisticsDimensions.join(', ')}.`;
  if (!isOperator(operator))
    return `${shown} has an unknown operator. Operators: ${filterOperators.join(', ')}.`;
  if (list.includes(':'))
    return `${shown} has a colon in its values. Encode it as %3A, or send a second filter as a separate parameter.`;
  const given = list.split(',');
  if (given.length > maxValues) return `${shown} must have at most ${maxValues} values.`;
  const values: string[] = [];
  for (const one of given) {
    const value = decode(one);
    if (value === undefined) return `${shown} has invalid percent-encoding. Encode % as %25.`;
    const wrong = findProblem(dimension, operator, value);
    if (wrong !== undefined) return `${shown} ${wrong}`;
    values.push(normalizeCase(dimension, value));
  }
  return { dimension, operator, values };
}

function isDimension(word: string): word is StatisticsDimension {
  return (statisticsDimensions as readonly string[]).includes(word);
}
function isOperator(word: string): word is FilterOperator {
  return (filterOperators as readonly string[]).includes(word);
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

const idDimensions: ReadonlySet<StatisticsDimension> = new Set(['link', 'folder']);

/** Returns the validation error for a value as the end of a sentence, or undefined if the value is valid. */
function findProblem(
  dimension: StatisticsDimension,
  operator: FilterOperator,
  value: string,
): string | undefined {
  if (/\p{Cc}/u.test(value)) return 'must not contain control characters.';
  if ([...value].length > maxValueLength) return `must have values of at most ${maxValueLength} characters.`;
  if (operator === 'contains') {
    if (dimension === 'class' || idDimensions.has(dimension))
      return `cannot use contains with ${dimension}. Use is or is-not.`;
    return value === '' ? 'must have a text after contains.' : undefined;
  }
  if (dimension === 'class' && !(clickClasses as readonly string[]).includes(value.toLowerCase()))
    return `must have values among ${clickClasses.join(', ')}.`;
  if (dimension === 'link' && !isId(value)) return 'must have link IDs as its values.';
  if (dimension === 'folder' && value !== '' && !isId(value))
    return 'must have folder IDs as its values; an empty value means no folder.';
  return undefined;
}

/** Dimensions with case-sensitive values. Campaigns, regions and rule names are stored with their original case. */
const caseSensitive: ReadonlySet<StatisticsDimension> = new Set([
  ...(['region', 'utmSource', 'utmMedium', 'utmCampaign', 'utmTerm', 'utmContent', 'rule'] as const),
]);

function normalizeCase(dimension: StatisticsDimension, value: string): string {
  if (caseSensitive.has(dimension)) return value;
  return dimension === 'country' ? value.toUpperCase() : value.toLowerCase();
}

const maxShownLength = 60;
function shorten(text: string): string {
  const shown = text.replace(/\p{Cc}/gu, ' ');
  return shown.length > maxShownLength ? `${shown.slice(0, maxShownLength)}…` : shown;
}
