import { type AppliedClick, readClicks } from '../../../src/model/clicks/click-records.ts';
import { dumpOf } from '../postgres/dump.ts';

/** Returns the individual clicks in the database that have not been folded yet, in batch order. */
export async function retainedClicks(url: string): Promise<readonly AppliedClick[]> {
  const rows = (await dumpOf(url))['click_batches'] ?? [];
  const found: AppliedClick[] = [];
  for (const { layout, clicks, records } of rows.toSorted((a, b) => Number(a['id']) - Number(b['id']))) {
    const bytes = Uint8Array.fromHex(String(records));
    const before = found.length;
    readClicks({ layout: Number(layout), clicks: Number(clicks), bytes }, (click) =>
      found.push({ ...click }),
    );
    if (found.length - before !== clicks)
      throw new Error(`A batch does not contain the ${clicks} clicks that its row states.`);
  }
  return found;
}
