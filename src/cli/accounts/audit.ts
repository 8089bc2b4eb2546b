import type { Command } from 'commander';
import type { AuditInput } from '../../client/client.ts';
import { changeLines, whoIn } from '../links/history.ts';
import { note, say, sayJson, when } from '../terminal/print.ts';
import { addServerCommand, openPlace, type RemoteOptions } from '../terminal/remote.ts';

interface Options extends RemoteOptions {
  readonly limit: string;
  readonly actor?: string;
  readonly action?: AuditInput['action'];
  readonly target?: string;
  readonly from?: string;
  readonly to?: string;
}

/** Adds the command that shows what was changed in the account. */
export function addAudit(program: Command): void {
  addServerCommand(program, 'audit', 'Show what was changed in the account: who, when, from what to what', {
    examples: [
      ['linkfold audit', 'the newest change first'],
      ['linkfold audit --action link.deleted --from 2027-03-01', 'who deleted links since then'],
    ],
    notes: 'The key needs the scope audit:read.',
  })
    .option('--limit <number>', 'changes to show, 1 to 100', '20')
    .option('--actor <id>', 'only changes by this person, key or session')
    .option('--action <name>', 'only such changes, such as link.updated')
    .option('--target <id>', 'only changes of this record')
    .option('--from <time>', 'only changes since, ISO 8601')
    .option('--to <time>', 'only changes before, ISO 8601')
    .action(async ({ limit, actor, action, target, from, to, ...options }: Options) => {
      const { client } = await openPlace(options);
      const { data } = await client.audit({ limit: Number(limit), actor, action, target, from, to });
      if (options.json) return sayJson(data);
      if (data.length === 0) note('No such change is remembered.');
      for (const change of data) {
        say(`${when(change.at)}  ${change.action}  ${change.target.id ?? ''}  by ${whoIn(change.actor)}`);
        for (const line of changeLines(change.changes)) say(line);
      }
    });
}
