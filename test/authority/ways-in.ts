import { setTimeout as pause } from 'node:timers/promises';
import { createLogin } from '../../src/model/accounts/sessions.ts';
import { isPostgresUrl } from '../../src/storage/db/url.ts';
import { origin } from '../model/basics.ts';
import { createSoftwarePasskey } from '../support/http/authenticator.ts';
import {
  type Attempt,
  begin,
  beside,
  describe,
  keep,
  never,
  newest,
  open,
  parsed,
  present,
  proofOf,
  type Run,
  send,
  type TakeAct,
} from './attempts.ts';
import {
  allScopes,
  type Credential,
  effects,
  holderOf,
  isKey,
  lowerOf,
  type Member,
  may,
  minuteMs,
  personOf,
} from './reference.ts';

function linkAttempt({ world, state }: Run, actor: Credential, member: Member): Attempt {
  return {
    sentence: `${describe(state.now, actor)} creates a sign-in link for ${member.name} (${member.role})`,
    isAllowed: may.createLink(state, actor, member),
    send: () => send(world, actor, 'POST', `/members/${member.id}/sign-in-link`, {}),
    record(data) {
      const token = new URL(data.url).hash.slice(1);
      const name = `the sign-in link ${state.links.length} for ${member.name} by ${actor.name}`;
      state.links.push({
        name,
        token,
        member,
        maker: actor,
        expiresAt: Date.parse(data.expiresAt),
        hasEnded: false,
      });
    },
  };
}

export const wayInActs = {
  createLink(run, actor, { on }) {
    const member = newest(present(run.state), on);
    return member && linkAttempt(run, actor, member);
  },

  createOwnLink(run, actor) {
    const holder = holderOf(actor);
    return isKey(holder) || actor.kind === 'key' ? undefined : linkAttempt(run, actor, holder);
  },

  linkByOperator({ world, state, rescue }, _, { on }) {
    const member = newest(present(state), on);
    if (member === undefined) return undefined;
    let token = '';
    return beside(
      `the operator creates a sign-in link for ${member.name} (${member.role})`,
      async () => {
        const accountId = (await world.tools.storage.findKey(rescue.id))?.accountId ?? 0;
        const keyId = (await world.tools.storage.member(accountId, member.id))?.keyId ?? '';
        token = (await createLogin(world.tools.storage, keyId, state.now, world.tools.randomBytes)).token;
      },
      () => {
        const name = `the sign-in link ${state.links.length} for ${member.name} by the operator`;
        const expiresAt = state.now + 30 * minuteMs;
        state.links.push({ name, token, member, maker: null, expiresAt, hasEnded: false });
      },
    );
  },

  openLink(run, _, { on }) {
    const { world, state } = run;
    const link = newest(state.links, on % 3);
    if (link === undefined) return undefined;
    const { member, maker } = link;
    return {
      sentence: `somebody opens ${link.name}`,
      isAllowed: may.use(state, link),
      send: () => open(world, '/session', undefined, link.token),
      record({ id }, { headers }) {
        link.hasEnded = true;
        const isOwn = maker !== null && personOf(holderOf(maker)) === member;
        const proof = maker === null ? state.now : proofOf(state.now, maker);
        const isPlanted = isOwn ? maker.kind === 'session' && maker.isPlanted : maker !== null;
        const provedAt = isOwn ? null : proof;
        begin(run, member, { id, headers }, { provedAt, isPlanted, isRenewed: isOwn && !isPlanted });
      },
    };
  },

  addPasskey({ world, state }, actor) {
    const member = holderOf(actor);
    if (actor.kind !== 'session' || isKey(member)) return undefined;
    const authenticator = createSoftwarePasskey(origin);
    return {
      sentence: `${describe(state.now, actor)} adds a passkey`,
      isAllowed: may.addPasskey(state, actor),
      async send() {
        const asked = await send(world, actor, 'POST', '/passkeys/options');
        if (asked.status !== 200) return asked;
        const response = authenticator.create(parsed(asked.text).data.challenge);
        return send(world, actor, 'POST', '/passkeys', { name: 'passkey', response });
      },
      record() {
        const name = `passkey ${state.passkeys.length} of ${member.name}`;
        const { isPlanted } = actor;
        state.passkeys.push({
          name,
          member,
          isPlanted,
          get: authenticator.get,
          expiresAt: never,
          hasEnded: false,
        });
      },
    };
  },

  signInByPasskey(run, _, { on }) {
    const { world, state } = run;
    const passkey = newest(state.passkeys, on);
    if (passkey === undefined) return undefined;
    return {
      sentence: `somebody signs in with ${passkey.name}`,
      isAllowed: may.use(state, passkey),
      async send() {
        const asked = await open(world, '/session/passkey-options');
        const response = passkey.get(parsed(asked.text).data.challenge);
        return open(world, '/session/passkey', { response });
      },
      record({ id }, { headers }) {
        const { member, isPlanted } = passkey;
        begin(run, member, { id, headers }, { provedAt: state.now, isPlanted, isRenewed: false });
      },
    };
  },

  signInByKey(run, actor) {
    if (actor.kind !== 'key') return undefined;
    const { world, state } = run;
    return {
      sentence: `${describe(state.now, actor)} signs a browser in`,
      isAllowed: true,
      send: () => open(world, '/session', undefined, actor.token),
      record: ({ id }, { headers }) =>
        begin(run, actor, { id, headers }, { provedAt: state.now, isPlanted: false, isRenewed: false }),
    };
  },

  approveDevice({ world, state }, actor) {
    const member = holderOf(actor);
    if (actor.kind !== 'session' || isKey(member)) return undefined;
    let deviceCode = '';
    return {
      sentence: `${describe(state.now, actor)} approves a program`,
      isAllowed: may.approve(state, actor, member),
      async send() {
        const begun = parsed((await open(world, '/devices', { name: 'program' })).text).data;
        deviceCode = begun.deviceCode;
        return send(world, actor, 'POST', '/devices/answer', { userCode: begun.userCode, approve: true });
      },
      record() {
        const name = `the approval ${state.approvals.length} by ${actor.name}`;
        const expiresAt = state.now + 10 * minuteMs;
        state.approvals.push({ name, deviceCode, member, role: member.role, expiresAt, hasEnded: false });
      },
    };
  },

  fetchDeviceKey(run, _, { on }) {
    const { world, state } = run;
    const approval = newest(state.approvals, on);
    if (approval === undefined) return undefined;
    const { deviceCode, member } = approval;
    return {
      sentence: `a program fetches its key by ${approval.name} (${member.role})`,
      isAllowed: may.use(state, approval),
      async send() {
        const answer = await open(world, '/devices/token', { deviceCode });
        const isApproved = answer.status !== 200 || parsed(answer.text).data.status === 'approved';
        return isApproved ? answer : { ...answer, status: 404 };
      },
      record({ key: token, expiresAt }) {
        approval.hasEnded = true;
        const ceiling = lowerOf(approval.role, member.role);
        keep(
          run,
          { id: token.slice(4, 12), key: token, expiresAt },
          { given: allScopes, ceiling, owner: member },
        );
      },
    };
  },

  becomeOperator({ world, state }, _, { on, how }) {
    const member = newest(present(state), on);
    if (member === undefined || member.isRestricted || member.isOperator || how % 2 === 0) return undefined;
    return beside(
      `the operator makes ${member.name} (${member.role}) an operator`,
      async () => {
        await world.tools.storage.setOperator(member.id, state.now);
        // The server sees the change at its next tick. On PostgreSQL, this takes up to a second.
        await pause(isPostgresUrl(world.databaseUrl) ? 1_200 : 50);
      },
      () => effects.becomeOperator(state, member),
    );
  },

  wait({ world, state }, _, { how }) {
    const minutes = how % 15 === 0 ? 1_500 : ([2, 16, 16, 35][how % 4] ?? 0);
    return beside(
      `${minutes} minutes pass`,
      () => world.wait(minutes * minuteMs),
      () => (state.now = world.now()),
    );
  },
} satisfies Record<string, TakeAct>;
