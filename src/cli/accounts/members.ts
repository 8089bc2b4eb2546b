import { type Command, Option } from 'commander';
import { type MailLanguage, mailLanguages } from '../../model/accounts/mail.ts';
import { memberFields } from '../../model/accounts/member-fields.ts';
import { memberKeyActions } from '../../model/accounts/members.ts';
import { find, kinds, type RowOf } from '../terminal/kinds.ts';
import { type Column, clean, note, plural, printLine, when } from '../terminal/print.ts';
import { recordGiven, recordOptions } from '../terminal/record-options.ts';
import { addRecordVerb, addResource, addVerb } from '../terminal/resources.ts';

const columns: readonly Column<RowOf<'member'>>[] = [
  { title: 'ID', of: ({ id }) => id, spare: 1 },
  { title: 'NAME', of: ({ name }) => name, cut: true },
  { title: 'EMAIL', of: ({ email }) => email ?? '', cut: true },
  { title: 'ROLE', of: ({ role }) => role },
  { title: 'KEYS', of: ({ keys }) => String(keys.length), right: true },
  { title: 'LAST SEEN', of: ({ lastSeenAt }) => (lastSeenAt === null ? 'never' : when(lastSeenAt)) },
];

export function languageOption(): Option {
  return new Option('--language <language>', 'language of the email (default: en)').choices(mailLanguages);
}

/**
 * Prints whether an email was sent.
 * @param mailed true if the server sent it; null if no email was requested, or SMTP is not configured
 */
export function noteMailed(mailed: boolean | null): void {
  if (mailed === null) return;
  note(mailed ? 'The link was also sent by email.' : 'Could not send the email. Send the link another way.');
}

export function addMembers(program: Command): void {
  addResource(
    program,
    'member',
    {
      about: 'Members of the account and their roles',
      columns: () => columns,
      none: 'No members yet. To invite one: linkfold invitations create --email ADDRESS',
      list: {
        about: 'List members',
        examples: [['linkfold members list', 'with their roles and key counts']],
      },
      get: {
        about: 'Show a member',
        examples: [['linkfold members get ada@example.com', 'by email, name or ID']],
      },
    },
    addOthers,
  );
}

function addOthers(members: Command): void {
  addRecordVerb(members, 'member', 'update', {
    about: 'Change a member’s name or role',
    examples: [
      ['linkfold members update ada@example.com --role admin', 'by email, name or ID'],
      ['linkfold members update "Ada L." --name "Ada Lovelace"', 'a new name'],
    ],
    refused: 'the member does not exist or is the last owner, or the key lacks the permission',
    options: recordOptions(memberFields, 'update'),
    run: async (connection, id, options: object) =>
      connection.client.updateMember(id, await recordGiven(connection, memberFields, 'update', options)),
    show: ({ name, role }) => note(`Updated ${clean(name)}, ${role}.`),
  });

  addSignIn(members);
  addDelete(members);
}

function addSignIn(members: Command): void {
  addRecordVerb(members, 'member', 'sign-in', {
    about: 'Print a link that signs a member in; it can be used once and expires after 30 minutes',
    examples: [['linkfold members sign-in ada@example.com', 'for a member who cannot sign in otherwise']],
    notes: 'On the server’s machine, `linkfold login --person` does the same without a key.',
    refused: 'the member does not exist, or the key lacks the permission',
    options: [['--mail', 'also send the link by email, if the server sends email'], languageOption()],
    run: ({ client }, id, { mail, language }: { mail?: true; language?: MailLanguage }) =>
      client.createSignInLink(id, { mail, language }),
    show: ({ url, expiresAt, mailed }, _args, { mail }) => {
      if (mail && mailed === null)
        note('No email was sent: the member has no address, or the server sends no email.');
      noteMailed(mailed);
      note(`Open this one-time link in a browser before ${when(expiresAt)}:`);
      printLine(url);
    },
  });
}

function addDelete(members: Command): void {
  addVerb(members, 'delete', {
    about: 'Remove a member immediately; their links stay',
    examples: [
      ['linkfold members delete ada@example.com', 'fails without --keys if the member has active keys'],
      ['linkfold members delete bob@example.com --keys revoke', 'programs that use the keys stop working'],
    ],
    refused:
      'the member does not exist or is the last owner, the key lacks the permission, or --keys is required',
    args: [['<member>', kinds.member.about]],
    options: [
      new Option('--keys <action>', 'keep or revoke the member’s active keys').choices(memberKeyActions),
    ],
    run: async (connection, [member]: [string], { keys }: { keys?: 'keep' | 'revoke' }) => {
      const { id, name } = await find(connection, 'member', member);
      return { id, name, left: await connection.client.removeMember(id, { keys }) };
    },
    json: ({ id, left }) => ({ removed: [id], ...left }),
    show: ({ name, left }) => {
      const keys = `; ${plural(left.keys.length, 'key')} ${left.kept ? 'kept' : 'revoked'}`;
      note(`Removed ${clean(name)}${left.keys.length === 0 ? '' : keys}.`);
      for (const { url } of left.webhooks) note(`This member’s webhook stays: ${clean(url)}`);
      if (left.invitations > 0)
        note(`Also deleted ${plural(left.invitations, 'invitation')} from this member.`);
    },
  });
}
