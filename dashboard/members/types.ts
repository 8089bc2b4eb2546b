import type { ListInvitationsResult, ListMembersResult } from '../../src/client/client.ts';

export type Member = ListMembersResult[number];
export type Invitation = ListInvitationsResult[number];
export type Role = Member['role'];

/** Roles from most to fewest permissions. */
export const roles = ['owner', 'admin', 'editor', 'viewer'] as const satisfies readonly Role[];
