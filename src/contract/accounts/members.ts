import * as z from 'zod';
import { mailLanguages } from '../../model/accounts/mail.ts';
import { invitationLifetimeMs, leftKeys, maxInvitations } from '../../model/accounts/members.ts';
import { roles } from '../../model/accounts/roles.ts';
import { limitReached } from '../../model/failures.ts';
import { endpoint } from '../endpoint.ts';
import { count, nameText, text, timestamp, uuid } from '../fields.ts';
import { bounds, boundsFields } from './keys.ts';
import { personSession } from './sessions.ts';

const role = z.enum(roles).meta({ id: 'Role' });
const personName = nameText(1, 100);
const keyFacts = z.object({ id: z.string().describe('The public part of the key.'), name: z.string() });

/** What else a person leaves behind. */
const left = {
  webhooks: z
    .array(z.object({ id: uuid('Identifier of the webhook.'), url: z.string() }))
    .describe(
      'Webhooks that they or these keys created, for a key with `webhooks:write`. They stay when the person is removed.',
    ),
  invitations: count('Invitations of theirs that wait. They end when the person is removed.'),
};

const member = z
  .object({
    id: uuid('Identifier of the person in this account.'),
    name: z.string(),
    email: z.string().nullable().describe('As the invitation said; null for none.'),
    role,
    createdAt: timestamp('When they joined.'),
    ...bounds,
    lastSeenAt: timestamp('When they did something last, up to a minute ago; null for never.').nullable(),
    isCurrent: z.boolean().describe('Whether this person sends the request.'),
    keys: z.array(keyFacts).describe('Live keys that they made.'),
    ...left,
  })
  .meta({ id: 'Member', description: 'A person in the account.' });

const mailed = z
  .boolean()
  .nullable()
  .describe(
    'Whether it was sent by mail; false when the server for mail did not take it, null where none was to be sent.',
  );
const languageField = z
  .enum(mailLanguages)
  .optional()
  .describe('In which language mail is written; `en` unless it is said.');

const facts = {
  id: uuid('Identifier of the invitation.'),
  role,
  email: z.string().nullable().describe('For whom it is; null for whoever has the address.'),
  ...bounds,
  invitedBy: z
    .string()
    .nullable()
    .describe('The person or the key that invites; null for the operator, or when the key is gone.'),
  createdAt: timestamp('When it was made.'),
  expiresAt: timestamp('When it ends, unless it is used before.'),
};
const invitation = z
  .object(facts)
  .meta({ id: 'Invitation', description: 'An invitation that waits, without its secret.' });
const newInvitation = z
  .object({
    ...facts,
    url: z
      .string()
      .meta({ description: 'Where it is accepted, once. It is shown only this once.', format: 'uri' }),
    mailed,
  })
  .meta({ id: 'NewInvitation', description: 'An invitation that was just made, with its address.' });
const openInvitation = z
  .object({
    account: z.string().describe('Name of the account.'),
    role,
    email: facts.email,
    invitedBy: facts.invitedBy,
    expiresAt: facts.expiresAt,
  })
  .meta({ id: 'OpenInvitation', description: 'What an invitation is to.' });
const loginLink = z
  .object({
    url: z.string().meta({ description: 'Where the person signs in, once.', format: 'uri' }),
    expiresAt: timestamp('When it ends, unless it is used before.'),
    mailed,
  })
  .meta({ id: 'SignInLink', description: 'An address that signs a person in, once.' });

const memberId = '7d0f6f1e-2b3c-4f5a-8e9d-0a1b2c3d4e60';
const invitationId = '7d0f6f1e-2b3c-4f5a-8e9d-0a1b2c3d4e61';
const token = 'lfi_m2v5X0qTzKd81bRjWc7HnPy4GfLs9AeUm2v5X0qTzKd';
const exampleMember = {
  id: memberId,
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  role: 'editor',
  createdAt: '2027-03-01T08:00:00.000Z',
  domains: null,
  folders: null,
  lastSeenAt: '2027-03-01T09:30:00.000Z',
  isCurrent: false,
  keys: [{ id: '9kQ2mX4p', name: 'newsletter' }],
  webhooks: [{ id: '0198c5a0-8888-7b3a-9c41-3f0f6f2f8a10', url: 'https://hooks.example.com/linkfold' }],
  invitations: 1,
} as const;
const exampleInvitation = {
  id: invitationId,
  role: 'editor',
  email: 'ada@example.com',
  domains: null,
  folders: null,
  invitedBy: 'Grace Hopper',
  createdAt: '2027-03-01T08:00:00.000Z',
  expiresAt: '2027-03-08T08:00:00.000Z',
} as const;
const memberInPath = { id: uuid('Identifier of the member.').meta({ example: memberId }) };
const invitationInPath = { id: uuid('Identifier of the invitation.').meta({ example: invitationId }) };
const days = invitationLifetimeMs / 86_400_000;
const rank = 'Nobody gives, changes or takes away more than they may do themselves; owners are for owners.';
const tokenField = z.string().min(1).max(100).describe('What follows `#` in the address of the invitation.');

export const memberEndpoints = {
  listMembers: endpoint({
    method: 'GET',
    path: '/members',
    access: { key: 'people:write' },
    priority: 'list',
    summary: 'List members',
    description: 'The people of the account, whoever joined first first, with the live keys that each made.',
    success: {
      status: 200,
      description: 'The members.',
      body: z.object({ success: z.literal(true), data: z.array(member) }),
      example: { success: true, data: [exampleMember] },
    },
    failures: [],
  }),
  updateMember: endpoint({
    method: 'PATCH',
    path: '/members/:id',
    params: memberInPath,
    access: { key: 'people:write' },
    priority: 'write',
    summary: 'Change a member',
    description: `What a person is called, or may do: themselves, and with the keys that they made, at once. Sessions of somebody whose rights change end; with more rights also sign-in links, and passkeys and identities that somebody else may have added. A session must have proved itself within 15 minutes to change a role. ${rank}`,
    body: {
      name: personName.optional().describe('What the person is called.'),
      role: role.optional().describe('What the person may do.'),
    },
    success: {
      status: 200,
      description: 'The member as it is now.',
      body: z.object({ success: z.literal(true), data: member }),
      example: { success: true, data: exampleMember },
    },
    exampleRequest: { body: { role: 'editor' } },
    failures: ['MEMBER_NOT_FOUND', 'LAST_OWNER', 'REAUTHENTICATION_REQUIRED'],
  }),
  removeMember: endpoint({
    method: 'DELETE',
    path: '/members/:id',
    params: memberInPath,
    access: { key: 'people:write' },
    priority: 'write',
    summary: 'Remove a member',
    description: `The person is out at once, everywhere. Their links stay. Their live keys stop, or are yours and bounded by your role from now on, as \`keys\` says. ${rank}`,
    query: {
      keys: z
        .enum(leftKeys)
        .optional()
        .describe('What becomes of live keys that they made: `keep` or `revoke`. Needed when there are any.'),
    },
    success: {
      status: 200,
      description: 'The person is out.',
      body: z.object({
        success: z.literal(true),
        data: z.object({
          keys: z.array(keyFacts).describe('The live keys that they had made.'),
          kept: z.boolean().describe('Whether those go on.'),
          ...left,
        }),
      }),
      example: {
        success: true,
        data: { keys: exampleMember.keys, kept: true, webhooks: exampleMember.webhooks, invitations: 1 },
      },
    },
    exampleRequest: { path: `/members/${memberId}?keys=keep` },
    failures: [
      'VALIDATION_ERROR',
      'MEMBER_NOT_FOUND',
      'LAST_OWNER',
      'MEMBER_HAS_KEYS',
      'REAUTHENTICATION_REQUIRED',
    ],
  }),
  createSignInLink: endpoint({
    method: 'POST',
    path: '/members/:id/sign-in-link',
    params: memberInPath,
    access: { key: 'people:write' },
    priority: 'write',
    summary: 'Make a link that signs a member in',
    description: `For a person who has lost every other way in. It works once, within 30 minutes. Where the server sends mail, it can be sent to them. A session must have proved itself within 15 minutes. ${rank}`,
    body: {
      mail: z
        .boolean()
        .optional()
        .describe('Whether it is sent to the email address of the person, where they have one.'),
      language: languageField,
    },
    success: {
      status: 201,
      showsSecret: true,
      description: 'The link was made.',
      body: z.object({ success: z.literal(true), data: loginLink }),
      example: {
        success: true,
        data: {
          url: 'http://127.0.0.1:3000/dashboard/login#lfl_m2v5X0qTzKd81bRjWc7HnPy4GfLs9AeUm2v5X0qTzKd',
          expiresAt: '2027-03-01T08:30:00.000Z',
          mailed: null,
        },
      },
    },
    failures: ['MEMBER_NOT_FOUND', 'OIDC_ONLY', 'REAUTHENTICATION_REQUIRED'],
  }),
  createInvitation: endpoint({
    method: 'POST',
    path: '/invitations',
    access: { key: 'people:write' },
    priority: 'write',
    summary: 'Invite a person',
    description: `Makes an address by which one person joins the account, within ${days} days; send it as you like, or have it sent. An account has at most ${maxInvitations} that wait. It is worth what its maker may give when it is accepted. A session must have proved itself within 15 minutes. A key that expires cannot invite. An editor or viewer may be bound to domains or folders, as a key may: to them nothing else exists. ${rank}`,
    body: {
      role: role.describe('What the person will be.'),
      email: text(1, 254)
        .nullish()
        .describe(
          'For whom it is, for you to tell invitations apart. Where the server sends mail, it goes there.',
        ),
      language: languageField,
      ...boundsFields,
    },
    success: {
      status: 201,
      showsSecret: true,
      description: 'The invitation was made.',
      body: z.object({ success: z.literal(true), data: newInvitation }),
      example: {
        success: true,
        data: { ...exampleInvitation, url: `http://127.0.0.1:3000/dashboard/join#${token}`, mailed: null },
      },
    },
    exampleRequest: { body: { role: 'editor', email: 'ada@example.com' } },
    failures: [
      'DOMAIN_NOT_FOUND',
      'FOLDER_NOT_FOUND',
      limitReached('invitations', maxInvitations),
      'REAUTHENTICATION_REQUIRED',
    ],
  }),
  listInvitations: endpoint({
    method: 'GET',
    path: '/invitations',
    access: { key: 'people:write' },
    priority: 'list',
    summary: 'List invitations',
    description: 'Those that wait, the newest first.',
    success: {
      status: 200,
      description: 'The invitations.',
      body: z.object({ success: z.literal(true), data: z.array(invitation) }),
      example: { success: true, data: [exampleInvitation] },
    },
    failures: [],
  }),
  getInvitation: endpoint({
    method: 'GET',
    path: '/invitations/:id',
    params: invitationInPath,
    access: { key: 'people:write' },
    priority: 'read',
    summary: 'Read an invitation',
    description: 'One that waits, without its secret.',
    success: {
      status: 200,
      description: 'The invitation.',
      body: z.object({ success: z.literal(true), data: invitation }),
      example: { success: true, data: exampleInvitation },
    },
    failures: ['INVITATION_NOT_FOUND'],
  }),
  withdrawInvitation: endpoint({
    method: 'DELETE',
    path: '/invitations/:id',
    params: invitationInPath,
    access: { key: 'people:write' },
    priority: 'write',
    summary: 'Withdraw an invitation',
    description: 'Its address stops at once.',
    success: { status: 204, description: 'The invitation is withdrawn.' },
    failures: ['INVITATION_NOT_FOUND'],
  }),
  describeInvitation: endpoint({
    method: 'POST',
    path: '/invitations/describe',
    access: { key: 'none' },
    priority: 'read',
    changes: false,
    summary: 'Describe an invitation by its secret',
    description: 'What it is to, before it is accepted. One address may ask 60 times a minute.',
    body: { token: tokenField },
    success: {
      status: 200,
      description: 'What the invitation is to.',
      body: z.object({ success: z.literal(true), data: openInvitation }),
      example: {
        success: true,
        data: {
          account: 'acme',
          role: 'editor',
          email: 'ada@example.com',
          invitedBy: 'Grace Hopper',
          expiresAt: '2027-03-08T08:00:00.000Z',
        },
      },
    },
    exampleRequest: { body: { token } },
    failures: ['INVITATION_NOT_FOUND'],
  }),
  acceptInvitation: endpoint({
    method: 'POST',
    path: '/invitations/accept',
    access: { key: 'none' },
    priority: 'read',
    isRepeatable: false,
    summary: 'Accept an invitation',
    description:
      'Makes the person a member of the account, and gives their browser a session, as signing in does. It works once.',
    setsCookie: true,
    body: { token: tokenField, name: personName.describe('What the person is called.') },
    success: personSession('The person has joined; the answer sets the cookie of their session.', memberId),
    exampleRequest: { body: { token, name: 'Ada Lovelace' } },
    failures: ['INVITATION_NOT_FOUND', 'OIDC_ONLY', 'CROSS_SITE_REQUEST', 'INSECURE_CONNECTION'],
  }),
} as const;
