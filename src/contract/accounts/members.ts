import * as z from 'zod';
import { mailLanguages } from '../../model/accounts/mail.ts';
import { invitationFields, memberFields, relatedFields } from '../../model/accounts/member-fields.ts';
import { invitationLifetimeMs, maxInvitations, memberKeyActions } from '../../model/accounts/members.ts';
import { limitReached } from '../../model/failures.ts';
import { created, endpoint, ok } from '../endpoint.ts';
import { nameText, timestamp, uri, uuid } from '../fields.ts';
import { exampleOf, requestShape, responseShape } from '../record-shapes.ts';
import { boundsFields } from './keys.ts';
import { personSession } from './sessions.ts';

const { keys, ...left } = responseShape(relatedFields);
const member = z
  .object(responseShape(memberFields))
  .meta({ id: 'Member', description: 'A member of the account.' });

const mailed = z
  .boolean()
  .nullable()
  .describe(
    'Whether the email was sent: false if the mail server rejected it, null if no email was requested.',
  );
const languageField = z.enum(mailLanguages).optional().describe('Language of the email. Default: `en`.');

const facts = responseShape(invitationFields);
const { role, email, invitedBy, expiresAt } = facts;
const invitation = z
  .object(facts)
  .meta({ id: 'Invitation', description: 'A pending invitation, without its secret.' });
const newInvitation = z
  .object({
    ...facts,
    url: uri('One-time URL for accepting the invitation. It is shown only once.'),
    mailed,
  })
  .meta({ id: 'CreatedInvitation', description: 'A newly created invitation, with its URL.' });
const openInvitation = z
  .object({
    account: z.string().describe('Name of the account.'),
    role,
    email,
    invitedBy,
    expiresAt,
  })
  .meta({ id: 'OpenInvitation', description: 'The account and role that an invitation gives.' });
const loginLink = z
  .object({
    url: uri('One-time URL that signs the member in.'),
    expiresAt: timestamp('When the link expires unless it is used before.'),
    mailed,
  })
  .meta({ id: 'SignInLink', description: 'A one-time sign-in link for a member.' });

const token = 'lfi_m2v5X0qTzKd81bRjWc7HnPy4GfLs9AeUm2v5X0qTzKd';
const exampleMember = exampleOf(memberFields);
const exampleInvitation = exampleOf(invitationFields);
const memberId = exampleMember.id;
const invitationId = exampleInvitation.id;
const memberInPath = { id: uuid('Identifier of the member.').meta({ example: memberId }) };
const invitationInPath = { id: uuid('Identifier of the invitation.').meta({ example: invitationId }) };
const days = invitationLifetimeMs / 86_400_000;
const rank =
  'You cannot grant, change or remove more permissions than you have. Only owners can manage owners.';
const tokenField = z.string().min(1).max(100).describe('The part of the invitation URL after `#`.');

export const memberEndpoints = {
  listMembers: endpoint('GET', '/members', {
    access: { key: 'people:write' },
    priority: 'list',
    summary: 'List members',
    description:
      'Returns the account’s members in the order they joined, each with the active keys that they created.',
    success: ok('The members.', { data: z.array(member) }, { data: [exampleMember] }),
  }),
  updateMember: endpoint('PATCH', '/members/:id', {
    params: memberInPath,
    access: { key: 'people:write' },
    summary: 'Update a member',
    description: `Changes a member’s name or role. A new role applies immediately, including to keys that the member created. It also ends the member’s sessions; a higher role also revokes sign-in links, and passkeys and identities that someone else may have added. To change a role, the session must have been verified within the last 15 minutes. ${rank}`,
    body: requestShape(memberFields, 'update'),
    success: ok('The updated member.', { data: member }, { data: exampleMember }),
    exampleRequest: { body: { role: 'editor' } },
    failures: ['MEMBER_NOT_FOUND', 'LAST_OWNER', 'REAUTHENTICATION_REQUIRED'],
  }),
  removeMember: endpoint('DELETE', '/members/:id', {
    params: memberInPath,
    access: { key: 'people:write' },
    summary: 'Remove a member',
    description: `Removes the member from the account immediately and ends their sessions. Their links stay. \`keys\` decides whether their active keys are revoked or transferred to you and limited by your role. ${rank}`,
    query: {
      keys: z
        .enum(memberKeyActions)
        .optional()
        .describe(
          'What to do with active keys that the member created: `keep` or `revoke`. Required if the member created active keys.',
        ),
    },
    success: ok(
      'The member was removed.',
      {
        data: z.object({
          keys: keys.describe('Active keys that the member had created.'),
          kept: z.boolean().describe('Whether the keys still work.'),
          ...left,
        }),
      },
      { data: { keys: exampleMember.keys, kept: true, webhooks: exampleMember.webhooks, invitations: 1 } },
    ),
    exampleRequest: { path: `/members/${memberId}?keys=keep` },
    failures: [
      'VALIDATION_ERROR',
      'MEMBER_NOT_FOUND',
      'LAST_OWNER',
      'MEMBER_HAS_KEYS',
      'REAUTHENTICATION_REQUIRED',
    ],
  }),
  createSignInLink: endpoint('POST', '/members/:id/sign-in-link', {
    params: memberInPath,
    access: { key: 'people:write' },
    summary: 'Create a sign-in link for a member',
    description: `For a member who has lost all other ways to sign in. The link can be used once and expires after 30 minutes. If the server can send email, it can send the link to the member. The session must have been verified within the last 15 minutes. ${rank}`,
    body: {
      mail: z
        .boolean()
        .optional()
        .describe('Whether to email the link to the member, if they have an email address.'),
      language: languageField,
    },
    success: {
      ...created(
        'The link was created.',
        { data: loginLink },
        {
          data: {
            url: 'http://127.0.0.1:3000/dashboard/login#lfl_m2v5X0qTzKd81bRjWc7HnPy4GfLs9AeUm2v5X0qTzKd',
            expiresAt: '2027-03-01T08:30:00.000Z',
            mailed: null,
          },
        },
      ),
      showsSecret: true,
    },
    failures: ['MEMBER_NOT_FOUND', 'OIDC_ONLY', 'REAUTHENTICATION_REQUIRED'],
  }),
  createInvitation: endpoint('POST', '/invitations', {
    access: { key: 'people:write' },
    summary: 'Invite a member',
    description: `Creates a one-time URL for joining the account, valid for ${days} days. Send it yourself or let the server email it. An account can have at most ${maxInvitations} pending invitations. When an invitation is accepted, the inviter must still be allowed to grant the role. The session must have been verified within the last 15 minutes. Keys that expire cannot invite. Editors and viewers can be restricted to domains or folders, like a key; they cannot see anything else. ${rank}`,
    body: {
      ...requestShape(invitationFields, 'create'),
      language: languageField,
      ...boundsFields,
    },
    success: {
      ...created(
        'The invitation was created.',
        { data: newInvitation },
        {
          data: { ...exampleInvitation, url: `http://127.0.0.1:3000/dashboard/join#${token}`, mailed: null },
        },
      ),
      showsSecret: true,
    },
    exampleRequest: { body: { role: 'editor', email: 'ada@example.com' } },
    failures: [
      'DOMAIN_NOT_FOUND',
      'FOLDER_NOT_FOUND',
      limitReached('invitations', maxInvitations),
      'REAUTHENTICATION_REQUIRED',
    ],
  }),
  listInvitations: endpoint('GET', '/invitations', {
    access: { key: 'people:write' },
    priority: 'list',
    summary: 'List invitations',
    description: 'Returns pending invitations, newest first.',
    success: ok('The invitations.', { data: z.array(invitation) }, { data: [exampleInvitation] }),
  }),
  getInvitation: endpoint('GET', '/invitations/:id', {
    params: invitationInPath,
    access: { key: 'people:write' },
    summary: 'Get an invitation',
    description: 'Returns a pending invitation, without its secret.',
    success: ok('The invitation.', { data: invitation }, { data: exampleInvitation }),
    failures: ['INVITATION_NOT_FOUND'],
  }),
  withdrawInvitation: endpoint('DELETE', '/invitations/:id', {
    params: invitationInPath,
    access: { key: 'people:write' },
    summary: 'Withdraw an invitation',
    description: 'The invitation URL stops working immediately.',
    success: { status: 204, description: 'The invitation was withdrawn.' },
    failures: ['INVITATION_NOT_FOUND'],
  }),
  describeInvitation: endpoint('POST', '/invitations/describe', {
    access: { key: 'none' },
    changes: false,
    summary: 'Describe an invitation by its secret',
    description:
      'Returns the account and role that an invitation gives, before you accept it. Limit: 60 requests per minute per IP address.',
    body: { token: tokenField },
    success: ok(
      'The account and role.',
      { data: openInvitation },
      {
        data: {
          account: 'acme',
          role: 'editor',
          email: 'ada@example.com',
          invitedBy: 'Grace Hopper',
          expiresAt: '2027-03-08T08:00:00.000Z',
        },
      },
    ),
    exampleRequest: { body: { token } },
    failures: ['INVITATION_NOT_FOUND'],
  }),
  acceptInvitation: endpoint('POST', '/invitations/accept', {
    access: { key: 'none' },
    isRepeatable: false,
    summary: 'Accept an invitation',
    description: 'Adds the person as a member of the account and signs their browser in. Works once.',
    setsCookie: true,
    body: { token: tokenField, name: nameText(1, 100).describe('Name of the new member.') },
    success: personSession('The person has joined; the response sets the session cookie.', memberId),
    exampleRequest: { body: { token, name: 'Ada Lovelace' } },
    failures: ['INVITATION_NOT_FOUND', 'OIDC_ONLY', 'CROSS_SITE_REQUEST', 'INSECURE_CONNECTION'],
  }),
} as const;
