import type { Command } from 'commander';
import { dayOf, startOfDay } from '../../model/clicks/click-days.ts';
import { missedVisitDays, type UnknownCode } from '../../model/clicks/missed-visits.ts';
import { formatTimestamp } from '../../model/timestamps.ts';
import { addGroup } from '../terminal/command.ts';
import { between } from '../terminal/options.ts';
import { type Column, count, printList } from '../terminal/print.ts';
import { addLocalVerb } from '../terminal/resources.ts';

const columns: readonly Column<UnknownCode>[] = [
  { title: 'CODE', of: ({ code }) => code },
  { title: 'VISITS', of: ({ visits }) => count(visits), right: true },
  { title: 'LAST DAY', of: ({ lastDay }) => dayText(lastDay) },
];

export function addCodes(program: Command): void {
  const codes = addGroup(program, 'codes', 'Codes that visitors requested but that no link has');
  addLocalVerb(codes, 'missed', {
    about: 'List codes that never had a link, most visits first',
    examples: [
      ['linkfold codes missed', 'typing errors in printed links, and guesses'],
      ['linkfold codes missed --days 7 --limit 100 --json', 'of the last week, for scripts'],
    ],
    notes: 'Servers store the counts once a minute. During a flood of unknown codes, they are lower bounds.',
    options: [
      [
        '--days <number>',
        `number of UTC days, including today, 1 to ${missedVisitDays} (default: ${missedVisitDays})`,
        between(1, missedVisitDays),
      ],
      ['--limit <number>', 'number of codes, 1 to 1,000 (default: 20)', between(1, 1_000)],
    ],
    run: (
      { storage, now },
      _args: [],
      { days = missedVisitDays, limit = 20 }: { readonly days?: number; readonly limit?: number },
    ) => storage.unknownCodes(dayOf(now()) - days + 1, limit),
    json: (found) => found.map((one) => ({ ...one, lastDay: dayText(one.lastDay) })),
    show: (codes) => printList(codes, columns, 'No visitor has requested an unknown code.'),
  });
}

function dayText(day: number): string {
  return formatTimestamp(startOfDay(day)).slice(0, 10);
}
