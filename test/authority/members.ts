import { origin } from '../model/basics.ts';
import {
  type Attempt,
  begin,
  describe,
  newest,
  open,
  present,
  proofOf,
  type Run,
  send,
  type TakeAct,
} from './attempts.ts';
import { type Credential, effects, holderOf, may, personOf, type Role, roles } from './reference.ts';

const names = ['Ada', 'Bob', 'Cleo', 'Dan', 'Eve', 'Finn', 'Gus', 'Hana', 'Ivo', 'Jo', 'Kai', 'Lea', 'Max'];

export function inviteAttempt(run: Run, actor: Credential, role: Role, isRestricted: boolean): Attempt {
  const { world, state } = run;
  const who = `${isRestricted ? 'a restricted' : 'a new'} ${role}`;
  const body = { role, ...(isRestricted && { domains: [new URL(origin).host] }) };
  return {
    sentence: `${describe(state.now, actor)} invites ${who}`,
    isAllowed: may.invite(state, actor, role, isRestricted),
    send: () => send(world, actor, 'POST', '/invitations', body),
    record(data) {
      const token = new URL(data.url).hash.slice(1);
      const name = `the invitation ${state.invitations.length} as ${role} by ${actor.name}`;
      const expiresAt = Date.parse(data.expiresAt);
      state.invitations.push({ name, token, role, isRestricted, maker: actor, expiresAt, hasEnded: false });
    },
  };
}

export const memberActs = {
  invite(run, actor, { on, how }) {
    const role = roles[how % roles.length] ?? 'viewer';
    return inviteAttempt(run, actor, role, on % 4 === 1);
  },

  accept(run, _, { on }) {
    const { world, state } = run;
    const invitation = newest(state.invitations, on);
    if (invitation === undefined) return undefined;
    const name = `${names[state.members.length % names.length]}${state.members.length >= names.length ? ' II' : ''}`;
    return {
      sentence: `${name} accepts ${invitation.name}`,
      isAllowed: may.accept(state, invitation),
      send: () => open(world, '/invitations/accept', { token: invitation.token, name }),
      record(data, { headers }) {
        const { role, isRestricted, maker } = invitation;
        invitation.hasEnded = true;
        const member = { id: data.person.id, name, role, isRestricted, isOperator: false, hasLeft: false };
        state.members.push(member);
        const provedAt = proofOf(state.now, maker);
        begin(run, member, { id: data.id, headers }, { provedAt, isPlanted: false, isRenewed: false });
      },
    };
  },

  changeRole({ world, state }, actor, { on, how }) {
    const member = newest(present(state), on);
    const role = roles[how % roles.length] ?? 'viewer';
    if (member === undefined) return undefined;
    return {
      sentence: `${describe(state.now, actor)} makes ${member.name} (${member.role}) ${role}`,
      isAllowed: may.changeRole(state, actor, member, role),
      send: () => send(world, actor, 'PATCH', `/members/${member.id}`, { role }),
      record: () => effects.changeRole(state, member, role),
    };
  },

  remove({ world, state }, actor, { on, how }) {
    const member = newest(present(state), on);
    if (member === undefined) return undefined;
    const keys = how % 5 === 0 ? undefined : how % 5 < 4 ? 'keep' : 'revoke';
    const said = keys === undefined ? '' : ` (keys: ${keys})`;
    return {
      sentence: `${describe(state.now, actor)} removes ${member.name} (${member.role})${said}`,
      isAllowed: may.remove(state, actor, member, keys),
      send: () =>
        send(world, actor, 'DELETE', `/members/${member.id}${keys === undefined ? '' : `?keys=${keys}`}`),
      record: () => effects.remove(state, member, keys, personOf(holderOf(actor))),
    };
  },
} satisfies Record<string, TakeAct>;
