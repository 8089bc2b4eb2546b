import type { Segment } from './columns/segment.ts';
import { numberVisitors } from './columns/visitors.ts';
import { type DayBuckets, outside } from './day-buckets.ts';
import { profileMask, type RunningFilter, rowMask } from './filters.ts';
import { createFirstClicks } from './first-clicks.ts';
import type { Groups } from './groups.ts';
import { addProfiles } from './scan-profiles.ts';
import { addRows } from './scan-rows.ts';
import type { Tally } from './tally.ts';

/** The state of a running query. */
export interface Scan {
  readonly profileFilters: readonly RunningFilter[];
  readonly rowFilters: readonly RunningFilter[];
  readonly groups: (segment: Segment, block: Segment['blocks'][number]) => Groups;
  readonly tally: Tally;
}

/**
 * Adds the clicks of a day from one segment, or several with hashes, in which visitors are distinguished from each
 * other. Reads only profiles, without rows, where that is sufficient.
 */
export function scanSegments(scan: Scan, segments: readonly Segment[], buckets: DayBuckets): void {
  const [first, ...further] = segments;
  if (buckets.only === outside || first === undefined) return;
  const segmentVisitors = further.length === 0 ? undefined : numberVisitors(segments);
  const firstClicks = createFirstClicks(segmentVisitors?.count);
  for (const [place, segment] of segments.entries()) {
    for (const block of segment.blocks) {
      if (block.isAbsent || !scan.rowFilters.every((filter) => filter.mayPass(block))) continue;
      const rows = rowMask(scan.rowFilters, segment, block);
      if (rows?.includes(1) === false) continue;
      const profiles = profileMask(scan.profileFilters, segment, block);
      if (!profiles.includes(1)) continue;
      const groups = scan.groups(segment, block);
      const part = { segment, block, groups, profiles, tally: scan.tally, firstClicks };
      if (
        segmentVisitors === undefined &&
        buckets.only !== undefined &&
        rows === undefined &&
        groups.isOfProfiles
      ) {
        addProfiles(part, buckets.only);
      } else {
        addRows(part, rows, buckets, segmentVisitors && { ...segmentVisitors, place });
      }
    }
  }
  firstClicks.addTo(scan.tally);
}
