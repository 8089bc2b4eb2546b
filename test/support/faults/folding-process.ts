// A process that applies and folds clicks until it is killed. Prints `ready` once it has started.
import { createClickCollector } from '../../../src/model/clicks/click-collector.ts';
import { unknownFacts } from '../../../src/model/clicks/click-facts.ts';
import { hourOf } from '../../../src/model/clicks/clicks.ts';
import { openStorage } from '../../../src/storage/open.ts';

const [url = '', account = '', row = '', firstDay = ''] = process.argv.slice(2);
const [accountId, linkRow, first] = [Number(account), Number(row), Number(firstDay)];
const storage = await openStorage(url);
const journal = 'killed';
let position = await storage.appliedTo(journal);
process.stdout.write('ready\n');
for (;;) {
  const day = first + (position % 5);
  const at = day * 86_400_000;
  const collector = createClickCollector();
  for (let click = 0; click < 10; click += 1)
    collector.add(accountId, linkRow, at + click, { ...unknownFacts(0), visitor: 1 + click });
  const sums = Float64Array.of(linkRow, hourOf(at), 0, 10);
  const records = collector.take();
  await storage.applyClicks({ journal, from: position, to: position + 1, sums, records });
  position += 1;
  // Sometimes folds a past day's clicks.
  if (position % 3 === 0) await storage.foldClicks((first + (position % 9)) * 86_400_000);
}
