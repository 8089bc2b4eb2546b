import type { Command } from 'commander';
import type { MemberWithAccount } from '../../model/accounts/operators.ts';
import type { Storage } from '../../model/storage.ts';
import { formatTimestamp } from '../../model/timestamps.ts';
import { addGroup } from '../terminal/command.ts';
import { exits, Stop } from '../terminal/exits.ts';
import { type Column, clean, note, plural, printLine, printList, when } from '../terminal/print.ts';
import { addLocalVerb } from '../terminal/resources.ts';

const columns: readonly Column<MemberWithAccount>[] = [
  { title: 'ID', of: ({ id }) => id, spare: 1 },
  { title: 'NAME', of: ({ name }) => name, cut: true },
  { title: 'EMAIL', of: ({ email }) => email ?? '', cut: true },
  { title: 'ACCOUNT', of: ({ account }) => account, cut: true },
  { title: 'SINCE', of: ({ operatorAt }) => when(operatorAt ?? 0) },
];

interface Options {
  readonly account?: string;
}

const personArgument = ['<person>', 'ID or email address'] as const;
const accountOption = ['--account <name>', 'account of the person'] as const;

export function addOperators(program: Command): void {
  const operators = addGroup(program, 'operators', 'People who may see, suspend and resume all accounts');

  addLocalVerb(operators, 'list', {
    about: 'List operators',
    examples: [['linkfold operators list', 'in the order in which they became operators']],
    run: ({ storage }) => storage.operators(),
    json: (found) => found.map(shown),
    show: (operators) =>
      printList(operators, columns, 'No operators yet. To add one: linkfold operators add PERSON'),
  });

  addLocalVerb(operators, 'add', {
    about: 'Make a member of an account an operator; they have to sign in again',
    examples: [
      ['linkfold operators add eve@example.com', 'by email, if it is unique'],
      ['linkfold operators add eve@example.com --account default', 'if the email exists in several accounts'],
    ],
    notes:
      'Email addresses are not verified, so check the name and account that the command prints. It also prints their sign-in methods; first remove any methods that belong to someone else.',
    refused:
      'the person does not exist, several people match, or the person is restricted to domains or folders',
    args: [personArgument],
    options: [accountOption],
    run: async ({ storage, now }, [given]: [string], { account }: Options) => {
      const person = await findPerson(storage, given, account);
      if (person.isRestricted)
        throw new Stop(
          exits.refused,
          'A member who is restricted to domains or folders cannot be an operator. Invite the member again without restrictions.',
        );
      const operatorAt = person.operatorAt ?? now();
      if (person.operatorAt === null) await storage.setOperator(person.id, operatorAt);
      return { person: { ...person, operatorAt }, ways: await waysToSignIn(storage, person.id) };
    },
    json: ({ person }) => shown(person),
    show: ({ person: { name, account, role }, ways }) => {
      printLine(`${clean(name)} of ${clean(account)} (${role}) is an operator.`);
      note(ways);
    },
  });

  addLocalVerb(operators, 'remove', {
    about: 'Remove an operator immediately; they stay in their account',
    examples: [['linkfold operators remove eve@example.com', 'by email or ID']],
    refused: 'the operator does not exist',
    args: [personArgument],
    options: [accountOption],
    run: async ({ storage }, [given]: [string], { account }: Options) => {
      const person = await findPerson(storage, given, account);
      if (person.operatorAt === null)
        throw new Stop(
          exits.refused,
          `${clean(person.name)} is not an operator. To list all: linkfold operators list`,
        );
      await storage.setOperator(person.id, null);
      return { ...person, operatorAt: null };
    },
    json: shown,
    show: ({ name, account }) => printLine(`${clean(name)} of ${clean(account)} is no longer an operator.`),
  });
}

function shown({ id, name, email, role, account, operatorAt }: MemberWithAccount) {
  const operatorSince = operatorAt === null ? null : formatTimestamp(operatorAt);
  return { id, name, email, role, account, operatorSince };
}

async function waysToSignIn(storage: Storage, id: string): Promise<string> {
  const passkeys = await storage.credentials(id);
  const providers = (await storage.identitiesOf(id)).map(({ issuer }) => clean(issuer));
  const named = passkeys.map(({ name }) => clean(name)).join(', ');
  const ways = [
    ...(passkeys.length === 0 ? [] : [`${plural(passkeys.length, 'passkey')} (${named})`]),
    ...providers,
  ];
  return ways.length === 0
    ? 'The new operator was signed out, and has no passkey or identity yet. To create a sign-in link: linkfold login --person'
    : `The new operator was signed out. Sign-in methods: ${ways.join('; ')}.`;
}

/** @throws Stop if nobody matches, or several people match */
async function findPerson(
  storage: Storage,
  given: string,
  account: string | undefined,
): Promise<MemberWithAccount> {
  const all = await storage.findMembers(given);
  const found = all.filter((one) => account === undefined || one.account === account);
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  const who = found.map(({ id, name, account: of }) => `${id} (${clean(name)}, ${clean(of)})`);
  const there = account === undefined ? '' : ` in the account "${clean(account)}"`;
  throw new Stop(
    exits.refused,
    found.length === 0
      ? `No member "${clean(given)}"${there}. Specify an ID or an email address.`
      : `Several people match. Specify an ID or --account: ${who.join(', ')}`,
  );
}
