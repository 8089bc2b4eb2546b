import type { Command } from 'commander';
import type { PersonAnywhere } from '../../model/accounts/operators.ts';
import type { Storage } from '../../model/storage.ts';
import { formatTimestamp } from '../../model/timestamps.ts';
import { addCommand, addGroup, jsonOption } from '../terminal/command.ts';
import { exits, Stop } from '../terminal/exits.ts';
import { withTools } from '../terminal/local.ts';
import { type Column, clean, note, plural, say, sayJson, sayTable, when } from '../terminal/print.ts';

const columns: readonly Column<PersonAnywhere>[] = [
  { title: 'ID', of: ({ id }) => id, spare: 1 },
  { title: 'NAME', of: ({ name }) => name, cut: true },
  { title: 'EMAIL', of: ({ email }) => email ?? '', cut: true },
  { title: 'ACCOUNT', of: ({ account }) => account, cut: true },
  { title: 'SINCE', of: ({ operatorAt }) => when(operatorAt ?? 0) },
];

interface Options {
  readonly json?: true;
  readonly account?: string;
}

const shared = { reaches: 'database' } as const;

/** Adds the commands that say which people may see and suspend all accounts. */
export function addOperators(program: Command): void {
  const operators = addGroup(
    program,
    'operators',
    'People who may see, suspend and resume every account in the dashboard',
  );
  addAdd(operators);
  addRemove(operators);
  addCommand(operators, 'list', 'List operators, whoever became one first first', {
    ...shared,
    examples: [['linkfold operators list', 'who may suspend accounts in the dashboard']],
  })
    .option(...jsonOption)
    .action(({ json }: Options) =>
      withTools({ json }, async ({ storage }) => {
        const found = await storage.operators();
        if (json) sayJson(found.map(shown));
        else if (found.length === 0)
          note('There are no operators. Name one with: linkfold operators add PERSON');
        else sayTable(found, columns);
      }),
    );
}

function shown({ id, name, email, role, account, operatorAt }: PersonAnywhere) {
  return {
    id,
    name,
    email,
    role,
    account,
    operatorSince: operatorAt === null ? null : formatTimestamp(operatorAt),
  };
}

function addAdd(operators: Command): void {
  addCommand(operators, 'add', 'Make a person an operator; they sign in anew then', {
    ...shared,
    examples: [
      ['linkfold operators add ada@example.com', 'by email, where one person has it'],
      ['linkfold operators add ada@example.com --account default', 'where people of several accounts do'],
    ],
    notes:
      'An email address is what whoever invited the person typed: compare account and name, which the command prints, with whom you mean. It says, too, how the person can sign in; a way that is not theirs must go first.',
    refused: 'there is no such person, or several, or they are bound to domains or folders',
  })
    .argument('<person>', 'id or email')
    .option('--account <name>', 'the account that they are in')
    .option(...jsonOption)
    .action((given: string, { json, account }: Options) =>
      withTools({ json }, async ({ storage, now }) => {
        const person = await personCalled(storage, given, account);
        if (person.isBound)
          throw new Stop(
            exits.refused,
            'Somebody who is bound to domains or folders cannot be an operator; invite them again without.',
          );
        const operatorAt = person.operatorAt ?? now();
        if (person.operatorAt === null) await storage.setOperator(person.id, operatorAt);
        if (json) return sayJson(shown({ ...person, operatorAt }));
        say(`${clean(person.name)} of ${clean(person.account)} (${person.role}) is an operator.`);
        note(await waysIn(storage, person.id));
      }),
    );
}

async function waysIn(storage: Storage, id: string): Promise<string> {
  const passkeys = await storage.credentials(id);
  const provider = (await storage.identitiesOf(id)).map(({ issuer }) => clean(issuer));
  const named = passkeys.map(({ name }) => clean(name)).join(', ');
  const ways = [
    ...(passkeys.length === 0 ? [] : [`${plural(passkeys.length, 'passkey')} (${named})`]),
    ...provider,
  ];
  return ways.length === 0
    ? 'They were signed out, and have no way in of their own yet: linkfold login --person makes a link.'
    : `They were signed out. They sign in by: ${ways.join('; ')}.`;
}

function addRemove(operators: Command): void {
  addCommand(operators, 'remove', 'Make a person an operator no more, at once; they stay in their account', {
    ...shared,
    examples: [['linkfold operators remove ada@example.com', 'by email or id']],
    refused: 'there is no such operator',
  })
    .argument('<person>', 'id or email')
    .option('--account <name>', 'the account that they are in')
    .option(...jsonOption)
    .action((given: string, { json, account }: Options) =>
      withTools({ json }, async ({ storage }) => {
        const person = await personCalled(storage, given, account);
        if (person.operatorAt === null)
          throw new Stop(exits.refused, `${clean(person.name)} is no operator; see: linkfold operators list`);
        await storage.setOperator(person.id, null);
        if (json) sayJson(shown({ ...person, operatorAt: null }));
        else say(`${clean(person.name)} of ${clean(person.account)} is no operator any more.`);
      }),
    );
}

/** @throws Stop when nobody, or more than one, is meant */
async function personCalled(
  storage: Storage,
  given: string,
  account: string | undefined,
): Promise<PersonAnywhere> {
  const all = await storage.peopleCalled(given);
  const found = all.filter((one) => account === undefined || one.account === account);
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  const who = found.map(({ id, name, account: of }) => `${id} (${clean(name)}, ${clean(of)})`);
  throw new Stop(
    exits.refused,
    found.length === 0
      ? `There is nobody "${clean(given)}"${account === undefined ? '' : ` in the account "${clean(account)}"`}; people are named by id or email.`
      : `Several people are called so; give an id or --account: ${who.join(', ')}`,
  );
}
