import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import type { CopyFacts } from '../../app/operator.ts';
import { checkedUrl } from '../../config.ts';
import { addCommand, jsonOption } from '../terminal/command.ts';
import { exits, Stop, unreadable } from '../terminal/exits.ts';
import { lowerOwnPriority, openDatabase, readConfig } from '../terminal/local.ts';
import {
  type Column,
  count,
  note,
  plural,
  printFacts,
  printJson,
  printTable,
  when,
} from '../terminal/print.ts';
import { createProgress, type Progress } from '../terminal/progress.ts';

const notes =
  'FROM and TO are each sqlite:PATH, postgres://…, @FILE (a file that contains the URL), or the name of an ' +
  'uppercase variable, or of a variable with the suffix _FILE that contains the path of such a file. Arguments show in process lists, so ' +
  'put a URL with a password into a file or a variable.\n\n' +
  'FROM may be in use: the copy includes changes acknowledged before it began. TO must be empty. ' +
  'All rows are compared and then committed at once. If the command stops earlier, TO stays empty.';

export function addCopy(db: Command): void {
  addCommand(db, 'copy', 'Copy a database to an empty one, on either engine, and compare them', {
    reaches: 'database',
    examples: [
      ['linkfold db copy DATABASE_URL @/etc/linkfold/new-url', 'from the database of this installation'],
      ['linkfold db copy @old-url sqlite:data/linkfold.db', 'back to a file'],
    ],
    notes,
    refused: 'FROM or TO is not usable, or the copy differs; TO is unchanged',
  })
    .argument('<from>', 'the database to copy')
    .argument('<to>', 'where to')
    .option(...jsonOption)
    .action(async (from: string, to: string, { json }: { json?: true }) => {
      lowerOwnPriority();
      const urls = [checked(urlIn(from, 'FROM'), 'FROM'), checked(urlIn(to, 'TO'), 'TO')] as const;
      const { copy } = await openDatabase();
      const bars: Partial<Record<'copy' | 'verify', Progress>> = {};
      const labels = { copy: 'Copying', verify: 'Verifying' };
      const begun = performance.now();
      try {
        const facts = await copy(...urls, {
          onProgress(stage, done, total) {
            if (stage === 'verify') bars.copy?.clear();
            bars[stage] ??= createProgress(labels[stage]);
            bars[stage].update(done, total);
          },
        });
        const seconds = Math.round(performance.now() - begun) / 1_000;
        if (json) printJson({ ok: true, ...facts, asOf: new Date(facts.asOf).toISOString(), seconds });
        else printCopy(facts, seconds);
      } finally {
        for (const bar of Object.values(bars)) bar?.clear();
      }
    });
}

const columns: readonly Column<CopyFacts['tables'][number]>[] = [
  { title: 'TABLE', of: (one) => one.table },
  { title: 'ROWS', of: (one) => count(one.rows), right: true },
  { title: 'CHECKSUM', of: (one) => one.checksum.slice(0, 16) },
];

function printCopy(facts: CopyFacts, seconds: number): void {
  printTable(facts.tables, columns);
  printFacts({ from: facts.from, to: facts.to, 'as of': when(facts.asOf), took: plural(seconds, 'second') });
  note('TO contains exactly the rows of FROM. Changes in FROM after the copy are not included.');
}

/** Checks a database URL. @throws Stop if it is invalid */
function checked(url: string, role: string): string {
  try {
    return checkedUrl(url);
  } catch (error) {
    throw new Stop(exits.usage, (error as Error).message.replaceAll('DATABASE_URL', role));
  }
}

/** Returns the database URL that an argument specifies. @throws Stop if the argument does not specify a database */
function urlIn(argument: string, role: string): string {
  if (argument.startsWith('@')) return inFile(argument.slice(1), role);
  if (argument === 'DATABASE_URL') return readConfig().DATABASE_URL;
  if (!/^[A-Z][A-Z0-9_]*$/.test(argument)) {
    if (URL.parse(argument)?.password)
      note(
        `The password of ${role} is visible in process lists. Pass the URL as @FILE, or in an environment variable.`,
      );
    return argument;
  }
  const { [argument]: value, [`${argument}_FILE`]: file } = process.env;
  if (value) return value;
  if (file) return inFile(file, role);
  throw new Stop(
    exits.usage,
    `${role} names the variable ${argument}, but neither ${argument} nor ${argument}_FILE is set.`,
  );
}

function inFile(path: string, role: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    throw unreadable(`${role} from the file ${path}`, error);
  }
}
