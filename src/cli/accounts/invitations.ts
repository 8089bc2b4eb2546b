import { type Command, Option } from 'commander';
import type { MailLanguage } from '../../model/accounts/mail.ts';
import { plans } from '../../model/accounts/plans.ts';
import { roles } from '../../model/accounts/roles.ts';
import { addGroup } from '../terminal/command.ts';
import { idOf, kinds, type RowOf } from '../terminal/kinds.ts';
import { type Column, note, printJson, printLine, printTable, when } from '../terminal/print.ts';
import { addVerb } from '../terminal/resources.ts';
import { inviteLocally, type LocalInvitation } from './invite.ts';
import { restrictionOptions } from './key-restrictions.ts';
import { languageOption, noteMailed } from './members.ts';

const columns: readonly Column<RowOf<'invitation'>>[] = [
  { title: 'ID', of: ({ id }) => id },
  { title: 'ROLE', of: ({ role }) => role },
  { title: 'EMAIL', of: ({ email }) => email ?? '', cut: true },
  { title: 'BY', of: ({ invitedBy }) => invitedBy ?? '', cut: true, spare: 1 },
  { title: 'EXPIRES', of: ({ expiresAt }) => when(expiresAt) },
];

export function addInvitations(program: Command): void {
  const invitations = addGroup(program, 'invitations', 'Invitations to the account');

  addVerb(invitations, 'list', {
    about: 'List pending invitations',
    examples: [['linkfold invitations list', 'without their links, which are shown once']],
    run: ({ client }) => client.listInvitations(),
    show: (found) =>
      found.length === 0
        ? note('No pending invitations. To invite somebody: linkfold invitations create')
        : printTable(found, columns),
  });

  addCreate(invitations);

  addVerb(invitations, 'delete', {
    about: 'Delete an invitation; its link stops working',
    examples: [['linkfold invitations delete 7d0f6f1e-2b3c-4f5a-8e9d-0a1b2c3d4e61', 'by ID or email']],
    refused: 'there is no such invitation',
    args: [['<invitation>', kinds.invitation.about]],
    run: async (connection, [invitation]: [string]) => {
      const id = await idOf(connection, 'invitation', invitation);
      await connection.client.withdrawInvitation(id);
      return { withdrawn: [id] };
    },
    show: () => note('Deleted the invitation.'),
  });
}

type CreateOptions = Omit<LocalInvitation, 'account'> & {
  readonly account?: string;
  readonly language?: MailLanguage;
};

function addCreate(invitations: Command): void {
  addVerb(invitations, 'create', {
    about: 'Invite a member: print a link that works once, within 7 days',
    examples: [
      ['linkfold invitations create --role editor --email ada@example.com', 'send her the link'],
      ['linkfold invitations create --role owner --account default', 'as the operator, without a key'],
      ['linkfold invitations create --role editor --domain s.example.com', 'for links on this domain only'],
    ],
    notes: 'With --account the command works on the local installation.',
    refused: 'the key may not grant the role, or there is no such domain or folder',
    options: [
      new Option('--role <role>', 'role of the new member').choices(roles).default('editor'),
      ['--email <address>', 'address of the new member; a server that sends email sends the link there'],
      languageOption(),
      ...restrictionOptions(),
      ['--account <name>', 'the account, as the operator'],
      new Option('--plan <tier>', 'plan of the member, with --account').choices(plans).default('enterprise'),
    ],
    local: (_args: [], options: CreateOptions) => {
      const { account } = options;
      return account === undefined ? undefined : inviteInLocalDatabase({ ...options, account });
    },
    run: ({ client }, _args: [], { role, email, language, domain, folder }) =>
      client.createInvitation({
        role,
        email,
        language,
        ...(domain !== undefined && { domains: [...domain] }),
        ...(folder !== undefined && { folders: [...folder] }),
      }),
    json: ({ url, ...made }) => ({ ...made, url }),
    show: printInvitation,
  });
}

async function inviteInLocalDatabase(options: LocalInvitation): Promise<void> {
  const { url, ...made } = await inviteLocally(options);
  if (options.json) printJson({ ...made, url });
  else printInvitation({ ...made, url, mailed: null });
}

interface Invitation {
  readonly url: string;
  readonly role: string;
  readonly expiresAt: string;
  readonly mailed: boolean | null;
}

function printInvitation({ url, role, expiresAt, mailed }: Invitation): void {
  note(`The first person who opens this link before ${when(expiresAt)} joins as ${role}:`);
  noteMailed(mailed);
  printLine(url);
}
