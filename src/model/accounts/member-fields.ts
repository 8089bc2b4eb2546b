import type { InputsOf, RecordFields, RecordOf, ShownValues } from '../record-fields.ts';
import { type KeyRestrictions, restrictionFields } from './key-restrictions.ts';
import { plans } from './plans.ts';
import { roles } from './roles.ts';

/** Fields of a key in responses about a member. */
const keyFields = {
  id: { kind: 'text', about: 'Public part of the key.' },
  name: { kind: 'text' },
} as const satisfies RecordFields;

/**
 * Fields that list other records created by a member. When the member is removed, webhooks stay, invitations are
 * withdrawn, and keys are kept or revoked.
 */
export const relatedFields = {
  keys: {
    kind: 'records',
    fields: keyFields,
    isComputed: true,
    about: 'Active keys that the member created.',
    example: [{ id: '9kQ2mX4p', name: 'newsletter' }],
  },
  webhooks: {
    kind: 'records',
    fields: { id: { kind: 'id', about: 'Identifier of the webhook.' }, url: { kind: 'text' } },
    isComputed: true,
    about:
      'Webhooks that the member or their keys created; requires `webhooks:write`. They stay when the member is removed.',
    example: [{ id: '0198c5a0-8888-7b3a-9c41-3f0f6f2f8a10', url: 'https://hooks.example.com/linkfold' }],
  },
  invitations: {
    kind: 'count',
    isComputed: true,
    about: 'Pending invitations from the member. They are withdrawn when the member is removed.',
    example: 1,
  },
} as const satisfies RecordFields;

/** Fields of an account member. A person in several accounts has a separate membership in each. */
export const memberFields = {
  id: {
    kind: 'id',
    about: 'Identifier of the person in this account.',
    example: '7d0f6f1e-2b3c-4f5a-8e9d-0a1b2c3d4e60',
  },
  accountId: { kind: 'number', isInternal: true },
  /** Id of the member's internal key, which has no token. */
  keyId: { kind: 'text', isInternal: true },
  name: {
    kind: 'name',
    example: 'Ada Lovelace',
    input: {
      only: 'update',
      about: 'New name of the member.',
      min: 1,
      max: 100,
      option: 'name',
      value: 'name',
      help: 'new name',
    },
  },
  /** Email address from the invitation, or verified by the identity provider. */
  email: {
    kind: 'text',
    nullable: true,
    about: 'Email address from the invitation; null if none.',
    example: 'ada@example.com',
  },
  role: {
    kind: 'choice',
    choices: roles,
    component: 'Role',
    example: 'editor',
    input: {
      only: 'update',
      about: 'New role of the member.',
      option: 'role',
      value: 'role',
      help: 'new role',
    },
  },
  createdAt: { kind: 'time', about: 'When the member joined.', example: '2027-03-01T08:00:00.000Z' },
  /** Whether the member is also an operator of the installation. */
  isOperator: { kind: 'flag', isInternal: true },
  ...restrictionFields,
  lastSeenAt: {
    kind: 'time',
    nullable: true,
    about: 'Last activity, up to a minute ago; null if none.',
    example: '2027-03-01T09:30:00.000Z',
  },
  isCurrent: { kind: 'flag', isComputed: true, about: 'Whether this member made the request.' },
  ...relatedFields,
} as const satisfies RecordFields;

export interface Member
  extends RecordOf<typeof memberFields>,
    Pick<ShownValues<typeof memberFields>, 'keys'> {
  /** The member's restrictions; undefined if there are none. */
  readonly bounds: KeyRestrictions | undefined;
}
export type MemberChange = Partial<InputsOf<typeof memberFields>>;

export const invitationFields = {
  id: { kind: 'id', about: 'Identifier of the invitation.', example: '7d0f6f1e-2b3c-4f5a-8e9d-0a1b2c3d4e61' },
  accountId: { kind: 'number', isInternal: true },
  account: { kind: 'text', isInternal: true },
  accountSuspended: { kind: 'flag', isInternal: true },
  role: {
    kind: 'choice',
    choices: roles,
    component: 'Role',
    example: 'editor',
    input: { only: 'create', required: true, about: 'Role of the new member.' },
  },
  plan: { kind: 'choice', choices: plans, isInternal: true },
  email: {
    kind: 'text',
    nullable: true,
    about: 'Email address of the new member; null if none.',
    example: 'ada@example.com',
    input: {
      only: 'create',
      about:
        'Email address of the new member. If the server can send email, it sends the invitation to this address.',
      min: 1,
      max: 254,
    },
  },
  ...restrictionFields,
  /** Id of the inviting key; null if the operator created the invitation. */
  inviter: { kind: 'text', nullable: true, isInternal: true },
  /** Name of the inviting key or its member. */
  invitedBy: {
    kind: 'text',
    nullable: true,
    about:
      'Person or key that created the invitation; null for the operator, or if the key no longer exists.',
    example: 'Grace Hopper',
  },
  /** `Session.provedAt` of the session that starts when the invitation is accepted. */
  provedAt: { kind: 'time', nullable: true, isInternal: true },
  createdAt: { kind: 'time', about: 'When the invitation was created.', example: '2027-03-01T08:00:00.000Z' },
  expiresAt: { kind: 'time', about: 'When the invitation expires.', example: '2027-03-08T08:00:00.000Z' },
} as const satisfies RecordFields;

export interface Invitation extends RecordOf<typeof invitationFields> {
  /** The future member's restrictions; undefined if there are none. */
  readonly bounds: KeyRestrictions | undefined;
}
