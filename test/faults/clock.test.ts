// R10: the wall clock jumps. Expiry follows the wall clock. Order, uniqueness and timeouts do not depend on it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createKey } from '../../src/model/accounts/keys.ts';
import { hourOf } from '../../src/model/clicks/clicks.ts';
import { countsOf, singleClicks } from '../model/single-clicks.ts';
import { openWorld, type World } from '../model/world.ts';
import type { Answer } from '../support/http/ask.ts';
import { createRandom, effort, type Random, withSeed } from '../support/random/random.ts';

const second = 1_000;
const hour = 3_600_000;
const day = 24 * hour;
const year = 365 * day;

/** Times at which naive date and time code fails. */
const edges = [
  Date.UTC(2030, 2, 31, 1), // summer time begins in Europe
  Date.UTC(2030, 9, 27, 1), // summer time ends
  Date.UTC(2032, 1, 29), // a leap day
  Date.UTC(2032, 11, 31, 23, 59, 59, 999), // the last ms of a leap year
  Date.UTC(1970, 0, 1),
  2 ** 31 * second, // 2038: more seconds than 31 bits hold
  2 ** 32 * second,
  2 ** 41, // more ms than 41 bits hold
];

function nextTime(now: number, random: Random): number {
  if (random.chance(0.3)) return Math.max(0, random.pick(edges) + random.pick([-1, 0, 1, 500]));
  const jump = random.pick([
    -10 * second,
    -10 * second,
    10 * second,
    -hour,
    hour,
    -day,
    day + 1,
    -year,
    year,
  ]);
  return Math.max(0, now + jump);
}

const limit = 5;
async function setUp(plan: 'pro' | 'free', world: World) {
  const asked = { account: `clock-${plan}`, plan, name: 'k', expiresAt: null } as const;
  const all = ['links:read', 'links:write'] as const;
  const { tools } = world;
  const { token, key } = await createKey(tools.storage, { ...asked, scopes: all }, 0, tools.randomBytes);
  return async (method: string, path: string, body?: object, headers = {}): Promise<Answer> => {
    const request = { method, path: `/api/v1${path}`, key: { ...key, token }, body, headers };
    return world.ask(request as never);
  };
}

function dataIn({ status, text }: Answer, wanted: number) {
  assert.equal(status, wanted, text);
  return JSON.parse(text).data;
}

test('survives clock jumps back and forth, by seconds and by years, over every boundary', (t) => {
  const { seed, count } = effort(20);
  return withSeed(t, { seed, count }, async () => {
    const random = createRandom(seed);
    const world = await openWorld(
      { RATE_LIMITS: `free=${limit}` },
      /This machine’s clock is behind the date of the newest link/,
    );
    try {
      const ask = await setUp('pro', world);
      const limited = await setUp('free', world);
      const clicks = new Map<string, number>();
      const ids: string[] = [];
      /** The latest time, according to the clock, at which the test asked a process to create a link. */
      let latest = 0;
      let latestMade = 0;
      let known = { id: '', code: '', updatedAt: 0 };

      const visit = async (code: string, wanted: number): Promise<void> => {
        const { status } = await world.ask({ method: 'GET', path: `/${code}`, headers: {} });
        assert.equal(status, wanted, `at ${new Date(world.now()).toISOString()}`);
        if (wanted !== 302) return;
        const name = `${code} ${hourOf(world.now())}`;
        clicks.set(name, (clicks.get(name) ?? 0) + 1);
      };
      const goTo = (at: number): Promise<void> => world.wait(at - world.now());

      const post = (body: object, headers = {}): Promise<Answer> => {
        latest = Math.max(latest, world.now());
        return ask('POST', '/shorten', body, headers);
      };
      const shorten = async (body: object) => {
        const made = dataIn(await post(body), 201);
        note(made);
        return made;
      };
      const note = (made: { id: string; createdAt: string }): void => {
        latestMade = Date.parse(made.createdAt);
        assert.equal(latestMade, latest, 'the clock goes back, but creation times do not');
        assert.ok(
          ids.every((id) => id < made.id),
          `${made.id} is not after all earlier ids`,
        );
        ids.push(made.id);
      };

      const create = async (): Promise<void> => {
        const expiresAt = new Date(world.now() + hour).toISOString();
        const made = await shorten({ url: 'https://example.com/', expiresAt });
        const expiry = world.now() + hour;
        await visit(made.shortCode, 302);
        await goTo(expiry - 1);
        await visit(made.shortCode, 302);
        await goTo(expiry);
        await visit(made.shortCode, 410);
        await goTo(expiry - 10 * second);
        await visit(made.shortCode, 302);
      };

      const change = async (): Promise<void> => {
        if (known.id === '') {
          const made = await shorten({ url: 'https://example.com/' });
          known = { id: made.id, code: made.shortCode, updatedAt: Date.parse(made.createdAt) };
        }
        const title = `title ${random.next()}`;
        const changed = dataIn(await ask('PATCH', `/links/${known.id}`, { title }), 200);
        const updatedAt = Date.parse(changed.updatedAt);
        assert.ok(
          updatedAt >= known.updatedAt,
          `updatedAt went back from ${known.updatedAt} to ${updatedAt}`,
        );
        assert.ok(
          updatedAt >= world.now(),
          'updatedAt is the time of the change, or a later time already returned',
        );
        known.updatedAt = updatedAt;
        await visit(known.code, 302);
      };

      const beLimited = async (): Promise<void> => {
        let answer = await limited('GET', '/me');
        for (let asked = 1; answer.status !== 429; asked += 1) {
          assert.equal(answer.status, 200);
          assert.ok(asked <= limit, 'Unlimited');
          answer = await limited('GET', '/me');
        }
        const wait = Number(answer.headers['retry-after']);
        assert.ok(wait >= 1 && wait <= 60, `Retry-After ${wait}`);
        const reset = Number(answer.headers['x-ratelimit-reset']) * second;
        assert.ok(reset > world.now() && reset <= world.now() + 60 * second + second, 'the window’s end');
        await world.wait(wait * second);
        assert.equal((await limited('GET', '/me')).status, 200, 'after Retry-After, the request is accepted');
      };

      const once = async (): Promise<void> => {
        const headers = { 'idempotency-key': `key-${random.next()}` };
        const madeAt = world.now();
        const first = dataIn(await post({ url: 'https://example.com/1' }, headers), 201);
        note(first);
        await world.wait(random.pick([-10 * second, 10 * second, Math.min(0, -Math.min(hour, world.now()))]));
        const repeated = dataIn(await post({ url: 'https://example.com/1' }, headers), 201);
        assert.equal(repeated.id, first.id, 'the same answer');
        const other = { url: 'https://example.com/2' };
        assert.equal((await post(other, headers)).status, 409, 'another request');
        // Even if the clock was wrong by a year, the idempotency key must not be retained for a year.
        await world.wait(random.pick([day + hour + second, -Math.min(year, world.now())]));
        const again = await post(other, headers);
        if (Math.abs(world.now() - madeAt) > day) note(dataIn(again, 201));
      };

      for (let step = 0; step < count; step += 1) {
        await goTo(nextTime(world.now(), random));
        await random.pick([create, change, beLimited, once])();
        // Each tick takes one second and moves the clock back by ten seconds.
        for (let ticks = random.below(8); ticks > 0; ticks -= 1) {
          await world.wait(-Math.min(9 * second, world.now()));
          await change();
        }
        if (step !== Math.floor(count / 2)) continue;
        await world.restart(random.pick(['restart', 'kill']));
        latest = latestMade;
      }
      const listed: { id: string; createdAt: string }[] = [];
      for (let page = 1; listed.length < ids.length; page += 1)
        listed.push(...dataIn(await ask('GET', `/links?limit=100&page=${page}`), 200));
      assert.deepEqual(
        listed.map(({ id }) => id),
        ids.toReversed(),
        'the list is in the order of creation',
      );
      const times = listed.map(({ createdAt }) => createdAt);
      assert.deepEqual(times, times.toSorted().reverse(), 'and in the order of createdAt');
      await world.restart('restart');
      const { storage } = world.tools;
      const account = (await storage.accounts()).find(({ name }) => name === 'clock-pro');
      const stored = await singleClicks(storage, account?.id ?? 0);
      assert.deepEqual(
        countsOf(stored.map(({ code, hour: of }) => `${code} ${of}`)),
        new Map([...clicks].sort()),
      );
    } finally {
      await world.close();
    }
  });
});
