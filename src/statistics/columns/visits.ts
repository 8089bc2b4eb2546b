import { quartersPerDay } from './dimensions.ts';
import { sameRun } from './layout.ts';
import type { Numbers } from './planes.ts';

/** Times and runs of a block's clicks. */
export interface Visits {
  /** Quarter of an hour in the day for each row, 0 to 95. */
  readonly quarter: Uint8Array<ArrayBuffer>;
  /** Run number of each row. */
  readonly run: Uint32Array<ArrayBuffer>;
  /** First row of each run. The rows of a run are in chronological order. */
  readonly firstRow: Uint32Array<ArrayBuffer>;
}

/** Unpacks a block's times and runs. @param profileRows number of rows in each profile */
export function unpackVisits(visits: Uint8Array<ArrayBuffer>, runs: number, profileRows: Numbers): Visits {
  const quarter = new Uint8Array(visits.length);
  const run = new Uint32Array(visits.length);
  const firstRow = new Uint32Array(runs);
  let number = -1;
  let row = 0;
  for (let profile = 0; profile < profileRows.length; profile += 1) {
    const end = row + (profileRows[profile] as number);
    let base = 0;
    let above = 0;
    for (; row < end; row += 1) {
      const visit = visits[row] as number;
      if (visit < sameRun) {
        number += 1;
        firstRow[number] = row;
        base += visit;
        if (base >= quartersPerDay) base -= quartersPerDay;
        above = base;
      } else {
        above += visit - sameRun;
      }
      quarter[row] = above;
      run[row] = number;
    }
  }
  if (row !== visits.length || number !== runs - 1) throw new RangeError('A segment is inconsistent.');
  return { quarter, run, firstRow };
}

/** Unpacks the seconds within the quarter of an hour, 0 to 899. */
export function unpackSeconds(bytes: Uint8Array<ArrayBuffer>, rows: number): Uint16Array<ArrayBuffer> {
  const seconds = new Uint16Array(rows);
  for (let row = 0; row < rows; row += 1) {
    const rest = ((bytes[rows + (row >> 2)] as number) >> ((row & 3) * 2)) & 3;
    seconds[row] = ((bytes[row] as number) << 2) | rest;
  }
  return seconds;
}
