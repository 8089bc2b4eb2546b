import { describeAgent } from '../../clicks/dimensions/agents.ts';
import type { memberEndpoints } from '../../contract/accounts/members.ts';
import { Refusal } from '../../contract/envelope.ts';
import { actorOf } from '../../model/accounts/actors.ts';
import type { ApiKey } from '../../model/accounts/keys.ts';
import * as members from '../../model/accounts/members.ts';
import { longestLifetimeMs } from '../../model/accounts/sessions.ts';
import { isId } from '../../model/ids.ts';
import { formatTimestamp } from '../../model/timestamps.ts';
import { isCrossSite, sessionCookie } from '../request/browser.ts';
import type { Handlers } from '../request/handler.ts';
import { shownSession } from './sessions.ts';

function shown({ id, name, email, role, createdAt, lastSeenAt, keys }: members.Member, inHand: ApiKey) {
  return {
    id,
    name,
    email,
    role,
    createdAt: formatTimestamp(createdAt),
    lastSeenAt: lastSeenAt === null ? null : formatTimestamp(lastSeenAt),
    isCurrent: inHand.member?.isSelf === true && inHand.member.id === id,
    keys: [...keys],
  };
}

function shownInvitation({ id, role, email, inviterName, createdAt, expiresAt }: members.Invitation) {
  return {
    id,
    role,
    email,
    invitedBy: inviterName,
    createdAt: formatTimestamp(createdAt),
    expiresAt: formatTimestamp(expiresAt),
  };
}

export const memberHandlers: Handlers<typeof memberEndpoints> = {
  listMembers: {
    async run({ context, key }) {
      const found = await context.storage.members(key.accountId);
      return { success: true, data: found.map((one) => shown(one, key)) };
    },
  },

  updateMember: {
    async run({ context, key, params, body }) {
      return { success: true, data: shown(await members.changeMember(context, key, params.id, body), key) };
    },
  },

  removeMember: {
    async run({ context, key, params, query }) {
      const keys = await members.removeMember(context, key, params.id, query.keys);
      return { success: true, data: { keys: [...keys], kept: query.keys === 'keep' } };
    },
  },

  createSignInLink: {
    async run({ context, key, params }) {
      const { token, expiresAt } = await members.createMemberLogin(context, key, params.id);
      const url = `${context.dashboardUrl()}/login#${token}`;
      return { success: true, data: { url, expiresAt: formatTimestamp(expiresAt) } };
    },
    location: () => '/api/v1/session',
  },

  createInvitation: {
    rules: ({ body }) => members.emailProblems(body.email),
    async run({ context, key, body }) {
      const { token, invitation } = await members.invite(context, { key }, body);
      const url = `${context.dashboardUrl()}/join#${token}`;
      return { success: true, data: { ...shownInvitation(invitation), url } };
    },
    location: (body) => `/api/v1/invitations/${body.data.id}`,
  },

  listInvitations: {
    async run({ context, key }) {
      const found = await context.storage.invitations(key.accountId, context.now());
      return { success: true, data: found.map(shownInvitation) };
    },
  },

  getInvitation: {
    async run({ context, key, params }) {
      const waiting = await context.storage.invitations(key.accountId, context.now());
      const found = waiting.find(({ id }) => id === params.id.toLowerCase());
      if (found === undefined) throw members.invitationNotFound();
      return { success: true, data: shownInvitation(found) };
    },
  },

  withdrawInvitation: {
    async run({ context, key, params: { id } }) {
      const isGone = isId(id) && (await context.writes.deleteInvitation(key.accountId, id.toLowerCase()));
      if (!isGone) throw members.invitationNotFound();
      return undefined;
    },
  },

  describeInvitation: {
    async run({ context, body }) {
      const { account, ...found } = await members.openInvitation(context, body.token);
      const { role, email, invitedBy, expiresAt } = shownInvitation({ ...found, account });
      return { success: true, data: { account, role, email, invitedBy, expiresAt } };
    },
  },

  acceptInvitation: {
    async run({ context, body, browser }) {
      const { headers, setCookie } = browser;
      // A page of another site must not make a browser somebody else's.
      if (isCrossSite(headers)) throw new Refusal('CROSS_SITE_REQUEST');
      // Before the invitation is used up.
      if (sessionCookie(headers, '', 0) === undefined) throw new Refusal('INSECURE_CONNECTION');
      const agent = describeAgent(headers['user-agent'] ?? '');
      const { token, session } = await members.acceptInvitation(context, { ...body, agent });
      setCookie(sessionCookie(headers, token, longestLifetimeMs / 1_000) ?? '');
      return { success: true, data: shownSession(session, actorOf(session.key, { session })) };
    },
    location: () => '/api/v1/session',
  },
};
