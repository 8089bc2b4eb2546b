import type { memberEndpoints } from '../../contract/accounts/members.ts';
import type { Actor } from '../../model/accounts/actors.ts';
import { hasScope, requireGrant } from '../../model/accounts/authority.ts';
import { apiRestrictions } from '../../model/accounts/key-restrictions.ts';
import type { ApiKey } from '../../model/accounts/keys.ts';
import type { Email } from '../../model/accounts/mail.ts';
import {
  type Invitation,
  invitationFields,
  type Member,
  memberFields,
} from '../../model/accounts/member-fields.ts';
import * as members from '../../model/accounts/members.ts';
import { domainRestrictions } from '../../model/domains/key-restrictions.ts';
import { apiRecord } from '../../model/record-fields.ts';
import { formatTimestamp } from '../../model/timestamps.ts';
import type { ApiContext, Handlers } from '../request/handler.ts';
import { requireOtherWays, startBrowserSession } from './sessions.ts';

/**
 * Reads the account's webhooks and invitations. Returns a function that finds a member's webhooks, which remain when
 * the member is removed, and counts the member's invitations, which then become invalid.
 */
async function readRelatedRecords({ storage, now }: ApiContext, ownKey: ApiKey) {
  const hooks = hasScope(ownKey, 'webhooks:write') ? await storage.webhooks(ownKey.accountId) : [];
  const invitations = await storage.invitations(ownKey.accountId, now());
  return ({ id, keyId, keys }: Member) => {
    const theirs = new Set([id, keyId, ...keys.map((key) => key.id)]);
    return {
      webhooks: hooks
        .filter(({ createdBy }) => createdBy !== null && theirs.has(createdBy.id))
        .map((hook) => ({ id: hook.id, url: hook.url })),
      invitations: invitations.filter(({ inviter }) => inviter !== null && theirs.has(inviter)).length,
    };
  };
}

async function shown(context: ApiContext, member: Member, ownKey: ApiKey) {
  return shownWith(context, member, ownKey, await readRelatedRecords(context, ownKey));
}

function shownWith(
  { sharedHost }: ApiContext,
  member: Member,
  ownKey: ApiKey,
  left: Awaited<ReturnType<typeof readRelatedRecords>>,
) {
  return apiRecord(memberFields, {
    ...member,
    ...apiRestrictions(sharedHost(), member.bounds),
    isCurrent: ownKey.member?.isSelf === true && ownKey.member.id === member.id,
    ...left(member),
  });
}

function shownInvitation({ sharedHost }: ApiContext, invitation: Invitation) {
  return apiRecord(invitationFields, {
    ...invitation,
    ...apiRestrictions(sharedHost(), invitation.bounds),
  });
}

/** Returns a pending invitation. @throws Failure INVITATION_NOT_FOUND */
async function findPendingInvitation(
  { storage, now }: ApiContext,
  { accountId }: ApiKey,
  id: string,
): Promise<Invitation> {
  const found = (await storage.invitations(accountId, now())).find((one) => one.id === id);
  if (found === undefined) throw members.invitationNotFound();
  return found;
}

interface Mailed extends Pick<Email, 'role'> {
  /** Email address of the recipient; null if there is no recipient. */
  readonly to: string | null;
  readonly language: Email['language'] | undefined;
}

/**
 * Sends an invitation or sign-in link by email.
 * @returns true if the mail was sent; null if there is no recipient or no mail server
 */
async function mail(
  { mailer }: Pick<ApiContext, 'mailer'>,
  { kind, name, key: { account, accountId } }: Actor,
  { url, expiresAt }: { readonly url: string; readonly expiresAt: string },
  { to, language = 'en', role }: Mailed,
): Promise<boolean | null> {
  if (mailer === undefined || to === null) return null;
  const from = kind === 'person' ? name : null;
  return mailer.send({ to, language, account, from, role, url, expiresAt: Date.parse(expiresAt) }, accountId);
}

export const memberHandlers: Handlers<typeof memberEndpoints> = {
  listMembers: {
    async run({ context, key }) {
      const found = await context.storage.members(key.accountId);
      const left = await readRelatedRecords(context, key);
      return { success: true, data: found.map((one) => shownWith(context, one, key, left)) };
    },
  },

  updateMember: {
    async run({ context, key, actor, params, body }) {
      const changed = await members.changeMember(context, actor, params.id, body);
      return { success: true, data: await shown(context, changed, key) };
    },
  },

  removeMember: {
    async run({ context, key, actor, params, query }) {
      const left = await readRelatedRecords(context, key);
      const { member, keys } = await members.removeMember(context, actor, params.id, query.keys, left);
      return { success: true, data: { keys: [...keys], kept: query.keys === 'keep', ...left(member) } };
    },
  },

  createSignInLink: {
    async run({ context, actor, params }) {
      requireOtherWays(context);
      const { token, expiresAt } = await members.createMemberLogin(context, actor, params.id);
      const url = `${context.dashboardUrl()}/login#${token}`;
      return { success: true, data: { url, expiresAt: formatTimestamp(expiresAt), mailed: null } };
    },
    async afterwards({ success, data }, { context, key, actor, params, body }) {
      const member = body.mail ? await members.getMember(context, key.accountId, params.id) : undefined;
      const to = member?.email ?? null;
      return {
        success,
        data: { ...data, mailed: await mail(context, actor, data, { to, language: body.language }) },
      };
    },
    location: () => '/api/v1/session',
  },

  createInvitation: {
    rules: ({ body }) => [
      ...members.emailProblems(body.email),
      ...members.restrictedRoleProblems(body.role, body),
    ],
    async run({ context, actor, body }) {
      const { token, invitation } = await members.invite(context, actor, {
        role: body.role,
        email: body.email,
        bounds: domainRestrictions(context.sharedHost(), body),
      });
      const url = `${context.dashboardUrl()}/join#${token}`;
      return { success: true, data: { ...shownInvitation(context, invitation), url, mailed: null } };
    },
    async afterwards({ success, data }, { context, actor, body: { language } }) {
      const email = { to: data.email, language, role: data.role };
      return { success, data: { ...data, mailed: await mail(context, actor, data, email) } };
    },
    location: (body) => `/api/v1/invitations/${body.data.id}`,
  },

  listInvitations: {
    async run({ context, key }) {
      const found = await context.storage.invitations(key.accountId, context.now());
      return { success: true, data: found.map((one) => shownInvitation(context, one)) };
    },
  },

  getInvitation: {
    async run({ context, key, params }) {
      return {
        success: true,
        data: shownInvitation(context, await findPendingInvitation(context, key, params.id)),
      };
    },
  },

  withdrawInvitation: {
    async run({ context, key, params }) {
      const { id, role } = await findPendingInvitation(context, key, params.id);
      requireGrant(key, role);
      if (!(await context.writes.deleteInvitation(key.accountId, id))) throw members.invitationNotFound();
    },
  },

  describeInvitation: {
    async run({ context, body }) {
      const { account, ...found } = await members.openInvitation(context, body.token);
      const { role, email, invitedBy, expiresAt } = shownInvitation(context, { ...found, account });
      return { success: true, data: { account, role, email, invitedBy, expiresAt } };
    },
  },

  acceptInvitation: {
    async run({ context, body, browser }) {
      requireOtherWays(context);
      return startBrowserSession({ context, browser }, (agent) =>
        members.acceptInvitation(context, { ...body, agent }, context.provider !== undefined),
      );
    },
    location: () => '/api/v1/session',
  },
};
