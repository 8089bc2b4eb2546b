import { dimensions, type NumberDimension } from '../../clicks/dimensions/dimensions.ts';
import { kindOf } from '../../clicks/dimensions/referrers.ts';
import type { Names } from '../../statistics/query.ts';

const numbers = new Map<string, NumberDimension>(
  dimensions.flatMap((dimension) => (dimension.kind === 'number' ? [[dimension.name, dimension]] : [])),
);

/** @param folders the folder id of each link, by link row */
export function namesWith(folders: ReadonlyMap<number, string>): Names {
  return {
    codeName: (dimension, code) => numbers.get(dimension)?.decode(code) ?? 'other',
    referrerKind: (host) => (host === '' ? '' : kindOf(host)),
    folderOf: (link) => folders.get(link) ?? '',
  };
}
