import { type Command, InvalidArgumentError } from 'commander';
import { dayOf, startOfDay } from '../../model/clicks/click-days.ts';
import { missedVisitDays, type UnknownCode } from '../../model/clicks/missed-visits.ts';
import { formatTimestamp } from '../../model/timestamps.ts';
import { addCommand, addGroup, jsonOption } from '../terminal/command.ts';
import { withTools } from '../terminal/local.ts';
import { wholeNumber } from '../terminal/options.ts';
import { type Column, count, note, sayJson, sayTable } from '../terminal/print.ts';

interface Options {
  readonly days: number;
  readonly limit: number;
  readonly json?: true;
}

const columns: readonly Column<UnknownCode>[] = [
  { title: 'CODE', of: ({ code }) => code },
  { title: 'VISITS', of: ({ visits }) => count(visits), right: true },
  { title: 'LAST DAY', of: ({ lastDay }) => dayText(lastDay) },
];

const mostRows = 1_000;

export function addCodes(program: Command): void {
  const codes = addGroup(program, 'codes', 'Codes without a link: what visitors ask for in vain');
  addCommand(codes, 'missed', 'List the codes that never had a link and were asked for most', {
    reaches: 'database',
    examples: [
      ['linkfold codes missed', 'typing errors of printed links, and guesses'],
      ['linkfold codes missed --days 7 --limit 100 --json', 'of a week, for a program'],
    ],
    notes:
      'Servers store what they counted once a minute. In a flood of codes the figures are at most too low.',
  })
    .option(
      '--days <number>',
      `how many UTC days, today included, 1 to ${missedVisitDays}`,
      upTo(missedVisitDays),
      missedVisitDays,
    )
    .option('--limit <number>', 'how many codes, 1 to 1,000', upTo(mostRows), 20)
    .option(...jsonOption)
    .action(({ days, limit, json }: Options) =>
      withTools({ json }, async ({ storage, now }) => {
        const found = await storage.unknownCodes(dayOf(now()) - days + 1, limit);
        if (json) return sayJson(found.map((one) => ({ ...one, lastDay: dayText(one.lastDay) })));
        if (found.length === 0) return note('No code without a link was asked for.');
        sayTable(found, columns);
      }),
    );
}

function dayText(day: number): string {
  return formatTimestamp(startOfDay(day)).slice(0, 10);
}

function upTo(max: number): (text: string) => number {
  return (text) => {
    const value = wholeNumber(text);
    if (value < 1 || value > max)
      throw new InvalidArgumentError(`Give a number from 1 to ${max.toLocaleString('en')}.`);
    return value;
  };
}
