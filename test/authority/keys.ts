import assert from 'node:assert/strict';
import { describe, keep, keysIn, newest, send, sessionsIn, type TakeAct } from './attempts.ts';
import {
  allScopes,
  ceilingOf,
  holderOf,
  isFresh,
  isKey,
  isLive,
  lowerOf,
  may,
  minuteMs,
  personOf,
  scopesNow,
} from './reference.ts';

export const keyActs = {
  createKey(run, actor, { on, how }) {
    const { world, state } = run;
    const further = allScopes[on % allScopes.length] ?? '';
    const scopes = [undefined, undefined, ['links:read'], [...new Set(['links:read', further])]][how % 4];
    const given = scopes ?? scopesNow(holderOf(actor));
    const day = state.now + 1_440 * minuteMs;
    const expiry = how % 3 === 0 ? { expiresAt: new Date(day).toISOString() } : {};
    return {
      sentence: `${describe(state.now, actor)} creates a key with ${scopes ?? 'all its scopes'}`,
      // A key that is created without an expiry expires together with the key that creates it.
      isAllowed: may.createKey(state, actor, given, how % 3 === 0 ? day : 0),
      send: () => send(world, actor, 'POST', '/keys', { name: 'key', ...expiry, ...(scopes && { scopes }) }),
      record: (data) =>
        keep(run, data, { given, ceiling: ceilingOf(holderOf(actor)), owner: personOf(holderOf(actor)) }),
    };
  },

  rotateKey(run, actor, { on, how }) {
    const { world, state, rescue } = run;
    const key = newest(keysIn(state), on) ?? rescue;
    const isAllowed = may.rotate(state, actor, key);
    if (key === rescue && isAllowed) return undefined;
    const graceSeconds = how % 2 === 0 ? 0 : 3_600;
    return {
      sentence: `${describe(state.now, actor)} rotates ${describe(state.now, key)} with ${graceSeconds} s of grace`,
      isAllowed,
      send: () => send(world, actor, 'POST', `/keys/${key.id}/rotate`, { graceSeconds }),
      record(data) {
        const before = scopesNow(key);
        const most = !isFresh(state.now, actor) ? before : scopesNow(holderOf(actor));
        const more = data.scopes.filter((scope: string) => !most.includes(scope));
        assert.deepEqual(more, [], `MORE permissions after rotation: ${more}`);
        key.isReplaced = true;
        key.expiresAt = Math.min(key.expiresAt, state.now + graceSeconds * 1_000);
        const owner = personOf(holderOf(actor)) ?? key.owner;
        const ceiling = lowerOf(key.ceiling, ceilingOf(holderOf(actor)));
        keep(run, data, { given: key.given, ceiling, owner });
      },
    };
  },

  revokeKey({ world, state, rescue }, actor, { on }) {
    const key = newest(keysIn(state), on) ?? rescue;
    const isAllowed = may.revoke(state, actor, key);
    if (key === rescue && isAllowed) return undefined;
    return {
      sentence: `${describe(state.now, actor)} revokes ${describe(state.now, key)}`,
      isAllowed,
      send: () => send(world, actor, 'DELETE', `/keys/${key.id}`),
      record: () => (key.hasEnded = true),
    };
  },

  endSession({ world, state }, actor, { on }) {
    const live = sessionsIn(state).filter((one) => isLive(state.now, one));
    const session = newest(live, on);
    if (session === undefined) return undefined;
    return {
      sentence: `${describe(state.now, actor)} ends ${describe(state.now, session)}`,
      isAllowed: may.endSession(actor, session),
      send: () => send(world, actor, 'DELETE', `/sessions/${session.id}`),
      record: () => (session.hasEnded = true),
    };
  },

  endOtherSessions({ world, state }, actor) {
    const by = holderOf(actor);
    const others = sessionsIn(state).filter((one) => one !== actor && isLive(state.now, one));
    return {
      sentence: `${describe(state.now, actor)} ends all other sessions`,
      isAllowed: true,
      send: () => send(world, actor, 'DELETE', '/sessions'),
      record() {
        for (const session of others) {
          const isMeant = session.holder === by || (isKey(by) && may.endSession(actor, session));
          if (isMeant) session.hasEnded = true;
        }
      },
    };
  },
} satisfies Record<string, TakeAct>;
