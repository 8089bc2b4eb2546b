import { type Command, Option } from 'commander';
import type { MailLanguage } from '../../model/accounts/mail.ts';
import { type Plan, plans } from '../../model/accounts/plans.ts';
import { type Role, roles } from '../../model/accounts/roles.ts';
import { formatTimestamp } from '../../model/timestamps.ts';
import { exits, Stop } from '../terminal/exits.ts';
import type { RowOf } from '../terminal/kinds.ts';
import { type Column, note, printLine, when } from '../terminal/print.ts';
import { addRecordVerb, addResource, addVerb } from '../terminal/resources.ts';
import { noSuchAccount } from './account-names.ts';
import { type RestrictionOptions, restrictionOptions, restrictionsIn } from './key-restrictions.ts';
import { languageOption, noteMailed } from './members.ts';

const columns: readonly Column<RowOf<'invitation'>>[] = [
  { title: 'ID', of: ({ id }) => id },
  { title: 'ROLE', of: ({ role }) => role },
  { title: 'EMAIL', of: ({ email }) => email ?? '', cut: true },
  { title: 'BY', of: ({ invitedBy }) => invitedBy ?? '', cut: true, spare: 1 },
  { title: 'EXPIRES', of: ({ expiresAt }) => when(expiresAt) },
];

export function addInvitations(program: Command): void {
  addResource(
    program,
    'invitation',
    {
      about: 'Invitations to the account',
      columns: () => columns,
      none: 'No pending invitations. To invite somebody: linkfold invitations create',
      list: {
        about: 'List pending invitations',
        examples: [['linkfold invitations list', 'without the links, which are shown only once']],
      },
    },
    addOthers,
  );
}

interface LocalInvitation extends RestrictionOptions {
  readonly account: string;
  readonly role: Role;
  readonly plan: Plan;
  readonly email?: string;
  readonly json?: true;
}

type CreateOptions = Omit<LocalInvitation, 'account'> & {
  readonly account?: string;
  readonly language?: MailLanguage;
};

function addOthers(invitations: Command): void {
  addVerb(invitations, 'create', {
    about: 'Invite a member: print a link that can be used once and expires after 7 days',
    examples: [
      [
        'linkfold invitations create --role editor --email ada@example.com',
        'send the link to the new member',
      ],
      ['linkfold invitations create --role owner --account default', 'as the operator, without a key'],
      ['linkfold invitations create --role editor --domain s.example.com', 'for links on this domain only'],
    ],
    notes: 'With --account the command works on the local installation.',
    refused: 'the key may not grant the role, or there is no such domain or folder',
    options: [
      new Option('--role <role>', 'role of the new member').choices(roles).default('editor'),
      [
        '--email <address>',
        'email address of the new member; the server sends the link to it if the server can send email',
      ],
      languageOption(),
      ...restrictionOptions(),
      ['--account <name>', 'the account, as the operator'],
      new Option('--plan <tier>', 'plan of the member, with --account').choices(plans).default('enterprise'),
    ],
    local: (_args: [], options: CreateOptions) => {
      const { account } = options;
      return account === undefined ? undefined : inviteLocally({ ...options, account });
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

  addRecordVerb(invitations, 'invitation', 'delete', {
    about: 'Delete an invitation; its link stops working',
    examples: [['linkfold invitations delete 7d0f6f1e-2b3c-4f5a-8e9d-0a1b2c3d4e61', 'by ID or email']],
    refused: 'there is no such invitation',
    run: async ({ client }, id) => {
      await client.withdrawInvitation(id);
      return { withdrawn: [id] };
    },
    show: () => note('Deleted the invitation.'),
  });
}

/** Invites a person to an account by writing to the local database, which needs no API key. */
async function inviteLocally({ account, role, plan, email, json, ...bound }: LocalInvitation) {
  const { runningDashboardUrl } = await import('../../app/announce.ts');
  const { restrictedRoleProblems, emailProblems, invite } = await import('../../model/accounts/members.ts');
  const { withTools } = await import('../terminal/local.ts');
  const [problem] = emailProblems(email);
  if (problem !== undefined) throw new Stop(exits.usage, problem.message.replace('email', '--email'));
  const [wrong] = restrictedRoleProblems(role, { domains: bound.domain, folders: bound.folder });
  if (wrong !== undefined) throw new Stop(exits.usage, wrong.message);
  return withTools({ json }, async ({ storage, now, randomBytes }, config) => {
    if (!config.DASHBOARD) throw new Stop(exits.refused, 'The dashboard is disabled: DASHBOARD=0.');
    const found = (await storage.accounts()).find(({ name }) => name === account);
    if (found === undefined) throw await noSuchAccount(storage, account);
    const inviter = { accountId: found.id, plan };
    const request = { role, email, bounds: restrictionsIn(config, bound) };
    const { token, invitation } = await invite({ writes: storage, now, randomBytes }, inviter, request);
    const { id, expiresAt } = invitation;
    const url = `${runningDashboardUrl(config)}/join#${token}`;
    return { id, account, role, email: email ?? null, expiresAt: formatTimestamp(expiresAt), url };
  });
}

interface Invitation {
  readonly url: string;
  readonly role: string;
  readonly expiresAt: string;
  readonly mailed?: boolean | null;
}

function printInvitation({ url, role, expiresAt, mailed = null }: Invitation): void {
  note(`The first person who opens this link before ${when(expiresAt)} joins as ${role}:`);
  noteMailed(mailed);
  printLine(url);
}
