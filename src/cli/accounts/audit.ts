import type { Command } from 'commander';
import type { AuditInput } from '../../client/client.ts';
import { changeLines, formatActor } from '../links/history.ts';
import { between } from '../terminal/options.ts';
import { note, printLine, when } from '../terminal/print.ts';
import { addVerb } from '../terminal/resources.ts';

export function addAudit(program: Command): void {
  addVerb(program, 'audit', {
    about: 'Show the account’s audit log: who changed what, and when',
    examples: [
      ['linkfold audit', 'newest change first'],
      ['linkfold audit --action link.deleted --from 2027-03-01', 'who deleted links since then'],
    ],
    notes: 'This command requires a key with the scope audit:read.',
    options: [
      ['--limit <number>', 'changes to show, 1 to 100 (default: 20)', between(1, 100)],
      ['--actor <id>', 'changes by this member, key or session'],
      ['--action <name>', 'changes of this type, such as link.updated'],
      ['--kind <name>', 'changes to records of this kind, such as link or folder'],
      ['--target <id>', 'changes to this record'],
      ['--from <time>', 'changes at this time or later, ISO 8601'],
      ['--to <time>', 'changes before this time, ISO 8601'],
    ],
    run: async ({ client }, _args: [], options: AuditInput) => {
      const { limit = 20, actor, action, kind, target, from, to } = options;
      return (await client.audit({ limit, actor, action, kind, target, from, to })).data;
    },
    show: (changes) => {
      if (changes.length === 0) note('No changes match.');
      for (const change of changes) {
        printLine(
          `${when(change.at)}  ${change.action}  ${change.target.id ?? ''}  by ${formatActor(change.actor)}`,
        );
        for (const line of changeLines(change.changes)) printLine(line);
      }
    },
  });
}
