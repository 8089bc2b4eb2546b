import { type Command, Option } from 'commander';
import type { Client } from '../../client/client.ts';
import { type MailLanguage, mailLanguages } from '../../model/accounts/mail.ts';
import { leftKeys } from '../../model/accounts/members.ts';
import { plans } from '../../model/accounts/plans.ts';
import { type Role, roles } from '../../model/accounts/roles.ts';
import { addGroup, properName } from '../terminal/command.ts';
import { exits, Stop } from '../terminal/exits.ts';
import { type Column, clean, note, plural, say, sayJson, sayTable, when } from '../terminal/print.ts';
import { addServerCommand, openClient, openPlace, type RemoteOptions } from '../terminal/remote.ts';
import { boundsOptions } from './bounds.ts';
import { inviteLocally, type LocalInvitation } from './invite.ts';

type Member = Awaited<ReturnType<Client['listMembers']>>[number];

const columns: readonly Column<Member>[] = [
  { title: 'ID', of: ({ id }) => id, spare: 1 },
  { title: 'NAME', of: ({ name }) => name, cut: true },
  { title: 'EMAIL', of: ({ email }) => email ?? '', cut: true },
  { title: 'ROLE', of: ({ role }) => role },
  { title: 'KEYS', of: ({ keys }) => String(keys.length), right: true },
  {
    title: 'LAST SEEN',
    of: ({ lastSeenAt }) => (lastSeenAt === null ? 'never' : when(Date.parse(lastSeenAt))),
  },
];

/** Adds the commands for the people of the account. */
export function addPeople(program: Command): void {
  const people = addGroup(program, 'people', 'People of the account and what they may do, through a server');
  addList(people);
  addInvite(people);
  addSet(people);
  addSignIn(people);
  addRemove(people);
}

function addList(people: Command): void {
  addServerCommand(people, 'list', 'List people, in the order in which they joined', {
    examples: [['linkfold people list', 'with their roles, and how many live keys each made']],
  }).action(async (options: RemoteOptions) => {
    const found = await (await openClient(options)).listMembers();
    if (options.json) sayJson(found);
    else if (found.length === 0) note('There is nobody yet. Invite somebody with: linkfold people invite');
    else sayTable(found, columns);
  });
}

type InviteOptions = RemoteOptions &
  Omit<LocalInvitation, 'account'> & { readonly account?: string; readonly language?: MailLanguage };

function languageOption(): Option {
  return new Option('--language <language>', 'in which mail is written (default: en)').choices(mailLanguages);
}

/** @param mailed as the server answers */
function noteMailed(mailed: boolean | null): void {
  if (mailed === null) return;
  note(
    mailed
      ? 'It was sent by mail, too.'
      : 'The mail could not be sent: give the address to them another way.',
  );
}

function addInvite(people: Command): void {
  const [domainOption, folderOption] = boundsOptions();
  addServerCommand(people, 'invite', 'Print an address by which one person joins, within 7 days', {
    examples: [
      ['linkfold people invite --role editor --email ada@example.com', 'send it to her as you like'],
      ['linkfold people invite --role owner --account default', 'by the operator, without any key'],
      ['linkfold people invite --role editor --domain go.example.com', 'for links on this domain alone'],
    ],
    notes:
      'With --account the command works on the installation that the settings name, for the account named.',
    refused: 'the key may not give the role, or no such domain or folder',
  })
    .addOption(new Option('--role <role>', 'what the person will be').choices(roles).default('editor'))
    .option(
      '--email <address>',
      'for whom it is, to tell invitations apart; a server that sends mail sends it there',
    )
    .addOption(languageOption())
    .addOption(domainOption)
    .addOption(folderOption)
    .option('--account <name>', 'the account, for the operator')
    .addOption(
      new Option('--plan <tier>', 'plan tier of the person, with --account')
        .choices(plans)
        .default('enterprise'),
    )
    .action(async (options: InviteOptions) => {
      const { account, role, email, language, domain, folder, json } = options;
      const { url, ...made } =
        account === undefined
          ? await (await openClient(options)).createInvitation({
              role,
              ...(email !== undefined && { email }),
              ...(language !== undefined && { language }),
              ...(domain !== undefined && { domains: [...domain] }),
              ...(folder !== undefined && { folders: [...folder] }),
            })
          : await inviteLocally({ ...options, account });
      if (json) return sayJson({ ...made, url });
      note(`Whoever opens this first, before ${when(Date.parse(made.expiresAt))}, joins as ${made.role}:`);
      noteMailed('mailed' in made ? made.mailed : null);
      say(url);
    });
}

function addSet(people: Command): void {
  addServerCommand(people, 'set', 'Change what a person is called, or may do', {
    examples: [
      ['linkfold people set ada@example.com --role admin', 'by email, name or id'],
      ['linkfold people set "Ada L." --name "Ada Lovelace"', 'another name'],
    ],
    refused: 'there is no such person, or it is the last owner, or the key may not',
  })
    .argument('<person>', 'id, email or name')
    .addOption(new Option('--role <role>', 'what the person may do from now on').choices(roles))
    .option('--name <name>', 'what the person is called', properName)
    .action(async (given: string, options: RemoteOptions & { role?: Role; name?: string }) => {
      const { role, name } = options;
      if (role === undefined && name === undefined) throw new Stop(exits.usage, 'Give --role or --name.');
      const { client } = await openPlace(options);
      const change = { ...(role !== undefined && { role }), ...(name !== undefined && { name }) };
      const member = await client.updateMember((await personNamed(client, given)).id, change);
      if (options.json) sayJson(member);
      else note(`${clean(member.name)} is ${member.role}.`);
    });
}

function addSignIn(people: Command): void {
  addServerCommand(people, 'sign-in', 'Print a link that signs a person in, once, within 30 minutes', {
    examples: [['linkfold people sign-in ada@example.com', 'for somebody who lost every other way in']],
    notes: 'Beside the server, `linkfold login --person` does the same without a key.',
    refused: 'there is no such person, or the key may not',
  })
    .argument('<person>', 'id, email or name')
    .option('--mail', 'send it to their email address, where the server sends mail')
    .addOption(languageOption())
    .action(async (given: string, options: RemoteOptions & { mail?: true; language?: MailLanguage }) => {
      const { client } = await openPlace(options);
      const { mail, language } = options;
      const asked = { ...(mail && { mail }), ...(language !== undefined && { language }) };
      const made = await client.createSignInLink((await personNamed(client, given)).id, asked);
      if (options.json) return sayJson(made);
      const { url, expiresAt, mailed } = made;
      if (mail && mailed === null)
        note('Nothing was sent: the person has no email address, or the server sends no mail.');
      noteMailed(mailed);
      note(`Open this in a browser, once, before ${when(Date.parse(expiresAt))}:`);
      say(url);
    });
}

function addRemove(people: Command): void {
  addServerCommand(people, 'rm', 'Remove a person: they are out at once, their links stay', {
    examples: [
      ['linkfold people rm ada@example.com', 'asks what becomes of their keys, when there are any'],
      ['linkfold people rm ada@example.com --keys revoke', 'programs that use them stop'],
    ],
    refused:
      'there is no such person, or it is the last owner, or the key may not, or it is not said what becomes of keys',
  })
    .argument('<person>', 'id, email or name')
    .addOption(
      new Option('--keys <what>', 'live keys that they made: keep them, or revoke them').choices(leftKeys),
    )
    .action(async (given: string, options: RemoteOptions & { keys?: 'keep' | 'revoke' }) => {
      const { client } = await openPlace(options);
      const { id, name } = await personNamed(client, given);
      const { keys } = options;
      const left = await client.removeMember(id, keys === undefined ? {} : { keys });
      if (options.json) return sayJson({ removed: [id], ...left });
      const what = left.kept ? 'goes on' : 'revoked';
      note(
        left.keys.length === 0
          ? `Removed ${clean(name)}.`
          : `Removed ${clean(name)}; ${plural(left.keys.length, 'key')}: ${what}.`,
      );
      for (const { url } of left.webhooks) note(`Their webhook stays: ${clean(url)}`);
      if (left.invitations > 0) note(`Withdrawn with them: ${plural(left.invitations, 'invitation')}.`);
    });
}

/** @throws Stop when nobody, or more than one, is meant */
async function personNamed(client: Client, given: string): Promise<Member> {
  const all = await client.listMembers();
  const found = all.filter(({ id, email, name }) => [id, email, name].includes(given));
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  throw new Stop(
    exits.refused,
    found.length === 0
      ? `There is nobody "${clean(given)}" here; see: linkfold people list`
      : `Several people are called so; give an id: ${found.map(({ id }) => id).join(', ')}`,
  );
}
