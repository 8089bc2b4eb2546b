import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { engines } from '../../../test/support/postgres/databases.ts';
import { createRandom, effort, type Random, withSeed } from '../../../test/support/random/random.ts';
import type { ApiContext } from '../../api/request/handler.ts';
import { statisticsOf } from '../../api/statistics/statistics.ts';
import { createClickCollector } from '../../model/clicks/click-collector.ts';
import { dayOf, lastSealedDay, startOfDay } from '../../model/clicks/click-days.ts';
import { unknownFacts } from '../../model/clicks/click-facts.ts';
import type { AppliedClick } from '../../model/clicks/click-records.ts';
import { hourOf, numbersPerSum } from '../../model/clicks/clicks.ts';
import type { ClickPlace, ClicksPage } from '../../model/clicks/raw-clicks.ts';
import {
  type BreakdownPlace,
  type StatisticsDimension,
  type StatisticsFilter,
  type StatisticsQuestion,
  type StatisticsRange,
  statisticsDimensions,
} from '../../model/clicks/statistics.ts';
import type { Failure } from '../../model/failures.ts';
import type { Tag } from '../../model/links/tags.ts';
import type { Storage } from '../../model/storage.ts';
import { bucketStarts, intervals } from '../../statistics/questions/buckets.ts';
import { minRollupClicks } from '../../statistics/rollup.ts';
import { checkDatabase } from '../check/check.ts';
import { openStorage } from '../open.ts';
import { newLink, nextId } from '../storage.fixtures.ts';
import {
  answerPlainly,
  linesOf,
  listPlainly,
  type StoredClick,
  type StoredLink,
} from './reference.fixtures.ts';

const msPerDay = 86_400_000;
/** Daylight saving time starts in Berlin on the third day. */
const firstDay = dayOf(Date.UTC(2027, 2, 26));
const days = 6;
const words = ['', '', 'a.example', 'google.com', 'ümlaut.example', 'spring', 'x,y:z', '日本'];
const zones = ['UTC', 'Europe/Berlin', 'Asia/Kathmandu', 'America/New_York'];

type NamedTag = Pick<Tag, 'id' | 'name'>;

/** An account with links, and all clicks that were sent to storage. */
interface World {
  storage: Storage;
  readonly accountId: number;
  readonly links: readonly StoredLink[];
  readonly kept: StoredClick[];
  /** Clicks not yet moved into columns. */
  readonly waiting: Set<StoredClick>;
  readonly sealed: Set<number>;
  scopes: number;
  applied: number;
}

async function build(storage: Storage, random: Random): Promise<Pick<World, 'accountId' | 'links'>> {
  const account = await storage.createAccount(`account ${random.below(2 ** 31)}`, 1);
  const accountId = account?.id ?? 0;
  const folders = [];
  for (const name of ['news', 'shop']) {
    const { id } = await storage.createFolder(accountId, { id: nextId(), name, createdAt: 1 });
    folders.push({ id, name });
  }
  const [tag, other] = ['poster', 'mail'].map((name) => ({ id: nextId(), name })) as [NamedTag, NamedTag];
  const links: StoredLink[] = [];
  for (let at = 0; at < 9; at += 1) {
    const folder = random.pick([undefined, ...folders]);
    const code = `c${random.below(2 ** 31).toString(36)}x${at}`;
    const tags = [tag, other].filter(() => random.chance(1 / 2));
    const { id } = await storage.createLink(
      accountId,
      newLink(code, { folderId: folder?.id ?? null, tags: { tags, at: 1, limit: 9 } }),
    );
    const row = (await storage.link(accountId, id))?.link.row ?? 0;
    links.push({ id, code, row, folder });
  }
  return { accountId, links };
}

function randomClick(random: Random, { accountId, links }: World, latest: number): StoredClick {
  const day = firstDay + random.below(days);
  const second = random.pick([random.below(86_400), 43_200 + random.below(4)]);
  const link = random.pick(links);
  const visitor = random.below(12);
  const click: AppliedClick = {
    ...unknownFacts(random.below(4)),
    account: accountId,
    row: link.row,
    at: Math.min(latest, startOfDay(day) + second * 1_000),
    visitor: Math.imul(visitor, 0x9e3779b1) >>> 0,
    trigger: random.below(3),
    country: (visitor * 7) % 5,
    browser: visitor % 4,
    os: visitor % 3,
    device: random.below(3),
    language: visitor % 5,
    region: random.pick(words),
    referrer: random.pick(words),
    utmSource: random.pick(words),
    utmCampaign: random.pick(words),
  };
  return { click, link, scope: 0 };
}

function sumsOf(clicks: readonly StoredClick[]): Float64Array<ArrayBuffer> {
  const sums = new Map<string, number>();
  for (const { click } of clicks) {
    const key = `${click.row} ${hourOf(click.at)} ${click.class}`;
    sums.set(key, (sums.get(key) ?? 0) + 1);
  }
  const flat = [...sums].flatMap(([key, count]) => [...key.split(' ').map(Number), count]);
  assert.equal(flat.length % numbersPerSum, 0);
  return Float64Array.from(flat);
}

/** Applies clicks to storage as a node does, or without records, as an older version of the program did. */
async function apply(world: World, clicks: readonly StoredClick[], keepsRecords: boolean): Promise<void> {
  const collector = createClickCollector();
  for (const { click } of clicks) collector.add(click.account, click.row, click.at, click);
  const batch = {
    journal: `j ${world.accountId}`,
    from: world.applied,
    to: world.applied + 1,
    sums: sumsOf(clicks),
    ...(keepsRecords && { records: collector.take() }),
  };
  assert.ok(await world.storage.applyClicks(batch));
  // An applier that does not know whether storage has applied a batch sends the batch again.
  assert.equal(await world.storage.applyClicks(batch), false);
  world.applied += 1;
}

function randomRange(random: Random): { range: StatisticsRange; zone: string } {
  const zone = random.pick(zones);
  const moment = (): number => {
    const at = startOfDay(firstDay - 1) + random.below((days + 2) * msPerDay);
    const unit = random.pick([msPerDay, msPerDay, 900_000, 1_000]);
    return Math.floor(at / unit) * unit;
  };
  const [a, b] = [moment(), moment()];
  const [from, to] = [Math.min(a, b), Math.max(a, b) + 1_000];
  // Minutes are used only for short ranges, because the number of minutes in a response is limited.
  const interval = random.pick(to - from < msPerDay ? intervals : intervals.slice(1));
  return { range: { from, to, buckets: bucketStarts(from, to, zone, interval) }, zone };
}

function randomFilter(random: Random, world: World): StatisticsFilter {
  const dimension = random.pick(statisticsDimensions);
  const one = (): string => {
    const link = random.pick(world.links);
    if (dimension === 'link') return link.id;
    if (dimension === 'folder') return link.folder?.id ?? '';
    if (dimension === 'class') return random.pick(['human', 'bot', 'preview']);
    return random.pick([
      '',
      'a.example',
      'google.com',
      'search',
      'spring',
      'AA',
      'AB',
      'chrome',
      'qr',
      '日本',
    ]);
  };
  const isText = !['link', 'folder', 'class'].includes(dimension);
  const operator = random.pick(['is', 'is-not', isText ? 'contains' : 'is'] as const);
  return { dimension, operator, values: Array.from({ length: 1 + random.below(2) }, one) };
}

function randomQuestion(random: Random, world: World): StatisticsQuestion {
  const link = random.pick(world.links);
  const groupBy: StatisticsDimension | undefined = random.pick([undefined, ...statisticsDimensions]);
  return {
    subject: random.pick([
      { kind: 'account' },
      { kind: 'account' },
      { kind: 'link', id: link.id },
      link.folder === undefined ? { kind: 'account' } : { kind: 'folder', id: link.folder.id },
    ] as const),
    range: randomRange(random).range,
    ...(random.chance(1 / 3) && { compare: randomRange(random).range }),
    filters: Array.from({ length: random.pick([0, 0, 1, 2]) }, () => randomFilter(random, world)),
    ...(groupBy !== undefined && { groupBy }),
    limit: random.pick([2, 1_000]),
  };
}

async function check(world: World, random: Random): Promise<void> {
  const question = randomQuestion(random, world);
  const answer = await world.storage.statistics(world.accountId, question);
  assert.ok(answer);
  const { visitorsExact: _, ...told } = answer;
  assert.deepEqual(told, answerPlainly(world.kept, question), JSON.stringify(question));
}

/** Reads all pages of a breakdown while clicks arrive. All pages must show the state at the time of the first page. */
async function checkValues(world: World, random: Random, between: () => Promise<unknown>): Promise<void> {
  const asked = {
    ...randomQuestion(random, world),
    groupBy: random.pick(statisticsDimensions),
    isWalked: true,
  };
  const all = { ...asked, limit: Number.MAX_SAFE_INTEGER };
  const { breakdown: expected, totals } = answerPlainly(world.kept, all);
  const question = { ...asked, limit: random.pick([1, 3, 50]) };
  const values = [];
  let after: BreakdownPlace | undefined;
  do {
    const page = await world.storage.statistics(world.accountId, { ...question, after });
    assert.ok(page?.breakdown);
    assert.ok(page.breakdown.values.length <= question.limit);
    assert.deepEqual(page.totals, totals);
    const shown = page.breakdown.values.reduce((sum, { clicks }) => sum + clicks, 0);
    assert.equal(shown + page.breakdown.other.clicks, totals.clicks);
    values.push(...page.breakdown.values);
    after = page.breakdown.next;
    if (after !== undefined) await between();
  } while (after !== undefined);
  assert.deepEqual(values, expected?.values, JSON.stringify(question));
}

/**
 * Reads all pages of a list of clicks. Each click that existed at the start must occur exactly once, and each click
 * that arrives during the reads at most once.
 * @param between changes storage between pages
 */
async function checkClicks(world: World, random: Random, between: () => Promise<unknown>): Promise<void> {
  const { subject, range, filters } = randomQuestion(random, world);
  const { from, to } = random.chance(1 / 2) ? range : ever;
  const question = { subject, from, to, filters, limit: random.pick([7, 60, 1_000]) };
  const expected = listPlainly(world.kept, question).toSorted();
  const pages: ClicksPage[] = [];
  let after: ClickPlace | undefined;
  do {
    const page = await world.storage.clicks(world.accountId, { ...question, after });
    assert.ok(page);
    assert.ok(page.times.length <= question.limit);
    pages.push(page);
    after = page.next;
    assert.ok(pages.length <= expected.length + 1_000, 'the pages never end');
    if (random.chance(1 / 4)) await between();
  } while (after !== undefined);
  const told = Map.groupBy(linesOf(pages), (line) => line);
  const there = Map.groupBy(expected, (line) => line);
  const all = Map.groupBy(listPlainly(world.kept, question), (line) => line);
  for (const line of new Set([...told.keys(), ...there.keys()])) {
    const times = told.get(line)?.length ?? 0;
    const [least, most] = [there.get(line)?.length ?? 0, all.get(line)?.length ?? 0];
    assert.ok(least <= times && times <= most, `${line} occurs ${times} times: ${JSON.stringify(question)}`);
  }
  const times = pages.flatMap((page) => [...page.times]);
  assert.deepEqual(
    times,
    times.toSorted((a, b) => b - a),
  );
}

const ever = { from: 0, to: startOfDay(firstDay + 400), buckets: Float64Array.of(0) };

/** Checks that columns and totals agree, for the account and for each link. */
async function checkTotals(world: Pick<World, 'storage' | 'accountId' | 'links'>): Promise<void> {
  const question = { range: ever, filters: [], groupBy: 'link', limit: 1_000 } as const;
  const answer = await world.storage.statistics(world.accountId, {
    subject: { kind: 'account' },
    ...question,
  });
  const counted = new Map(answer?.breakdown?.values.map(({ value, clicks }) => [value, clicks]));
  for (const { id } of world.links) {
    const { link } = (await world.storage.link(world.accountId, id)) ?? {};
    assert.equal(counted.get(id) ?? 0, link?.clicks);
  }
}

/** Checks that the daily clicks of all links, folders and tags match the separate time series of each. */
async function checkDays({ storage, accountId, links }: World, zone: string): Promise<void> {
  const [from, to] = [startOfDay(firstDay - 1) + 5_000, startOfDay(firstDay + days) + 7_000];
  const range = { from, to, buckets: bucketStarts(from, to, zone, 'day') };
  const whole = { ...range, from: range.buckets[0] ?? from };
  const ids = links.map(({ id }) => id);
  const byDay = await storage.clicksByBucket(accountId, [...ids, nextId()], whole);
  for (const id of ids) {
    const subject = { kind: 'link', id } as const;
    const answer = await storage.statistics(accountId, { subject, range: whole, filters: [], limit: 1 });
    assert.deepEqual(
      byDay.get(id),
      answer?.series.map(({ clicks }) => clicks),
    );
  }
  const groups = {
    folder: await storage.folders(accountId, 100),
    tag: await storage.tags(accountId, 100),
  };
  for (const kind of ['folder', 'tag'] as const) {
    const ofGroups = await storage.clicksByGroup(accountId, kind, whole);
    assert.ok(groups[kind].length > 0);
    for (const { id } of groups[kind]) {
      const asked = { subject: { kind, id }, range: whole, filters: [], limit: 1 };
      const answer = await storage.statistics(accountId, asked);
      assert.deepEqual(
        ofGroups.get(id) ?? whole.buckets.reduce<number[]>((zeros) => [...zeros, 0], []),
        answer?.series.map(({ clicks }) => clicks),
        kind,
      );
    }
    assert.equal((await storage.clicksByGroup(accountId + 1_000_000, kind, whole)).size, 0);
  }
}

async function applyFresh(world: World, random: Random, now: number): Promise<void> {
  const fresh = Array.from({ length: 1 + random.below(40) }, () => randomClick(random, world, now));
  for (const one of fresh) {
    world.kept.push(one);
    world.waiting.add(one);
    // Late clicks arrive after their day was sealed. All late visitors are counted together, but separately from the
    // day's other visitors.
    if (world.sealed.has(dayOf(one.click.at))) one.scope = -1;
  }
  await apply(world, fresh, true);
}

async function foldAll(world: World, now: number): Promise<void> {
  for (let steps = 0; await world.storage.foldClicks(now); steps += 1) assert.ok(steps < 1_000);
  const last = lastSealedDay(now);
  const late = new Map<number, number>();
  for (const one of world.waiting) {
    const day = dayOf(one.click.at);
    if (world.sealed.has(day)) {
      world.scopes += late.has(day) ? 0 : 1;
      one.scope = late.get(day) ?? world.scopes;
      late.set(day, one.scope);
    }
  }
  world.waiting.clear();
  for (const { click } of world.kept) if (dayOf(click.at) <= last) world.sealed.add(dayOf(click.at));
}

for (const engine of engines) {
  describe(`statistics on ${engine.name}`, { skip: engine.missing ?? false }, () => {
    test('match a plain reference, whatever is applied, folded, sealed and pruned', async (t) => {
      const { count, seed } = effort(1);
      await withSeed(t, { count, seed }, async () => {
        const random = createRandom(seed);
        for (let round = 0; round < count; round += 1) {
          const url = await engine.emptyDatabase();
          const options = {
            foldLimits: {
              minRollupClicks: random.pick([1, 1_000]),
              minSegmentClicks: random.pick([1, 15, 1_000]),
            },
            maxClicksOfPage: random.pick([10, 1_000]),
          };
          let storage = await openStorage(url, { ...options, onInfo: () => {} });
          t.after(() => storage.close());

          const world: World = {
            storage,
            ...(await build(storage, random)),
            kept: [],
            waiting: new Set(),
            sealed: new Set(),
            scopes: 0,
            applied: 0,
          };
          let now = startOfDay(firstDay) + msPerDay;
          for (let step = 0; step < 14; step += 1) {
            const what = random.below(8);
            if (what < 4) {
              await applyFresh(world, random, now);
            } else if (what < 6) {
              await foldAll(world, now);
            } else if (what === 6) {
              now += random.pick([3_600_000, msPerDay, 2 * msPerDay]);
            } else {
              await storage.close();
              storage = await openStorage(url, options);
              world.storage = storage;
            }
            for (let asked = 0; asked < 4; asked += 1) await check(world, random);
            const between = (): Promise<void> =>
              random.chance(1 / 2) ? foldAll(world, now) : applyFresh(world, random, now);
            if (random.chance(1 / 5)) await checkClicks(world, random, between);
            await checkValues(world, random, between);
          }
          await checkTotals(world);
          await checkDays(world, random.pick(zones));
          await checkClicks(world, random, () => foldAll(world, now + 10 * msPerDay));
          await foldAll(world, now + 10 * msPerDay);
          for (let asked = 0; asked < 10; asked += 1) await check(world, random);
          await checkTotals(world);
          const oldest = firstDay + random.below(days);
          while (await storage.pruneClicks(oldest, 1));
          world.kept.splice(
            0,
            world.kept.length,
            ...world.kept.filter(({ click }) => dayOf(click.at) >= oldest),
          );
          for (let asked = 0; asked < 10; asked += 1) await check(world, random);
          for (let asked = 0; asked < 4; asked += 1) await checkClicks(world, random, async () => {});
          assert.equal(await storage.hasWork('foldClicks', now + 10 * msPerDay), false);
          assert.equal(await storage.hasWork('pruneClicks', startOfDay(oldest)), false);
          await storage.close();
        }
      });
    });

    test('count each click once, however many processes apply and fold concurrently', async (t) => {
      const url = await engine.newDatabase();
      const storages = await Promise.all(Array.from({ length: 3 }, () => openStorage(url)));
      t.after(() => Promise.all(storages.map((storage) => storage.close())));
      const [storage] = storages as [Storage];
      const random = createRandom(3);
      const { accountId, links } = await build(storage, random);
      const end = startOfDay(firstDay + days);
      await Promise.all(
        storages.map(async (own, journal) => {
          const world: World = {
            storage: own,
            accountId,
            links,
            kept: [],
            waiting: new Set(),
            sealed: new Set(),
            scopes: 0,
            applied: 0,
          };
          for (let batch = 0; batch < 12; batch += 1) {
            const clicks = Array.from({ length: 10 }, () => randomClick(random, world, end));
            const sums = sumsOf(clicks);
            const collector = createClickCollector();
            for (const { click } of clicks) collector.add(accountId, click.row, click.at, click);
            const to = batch + 1;
            const records = collector.take();
            await own.applyClicks({ journal: `${accountId} ${journal}`, from: batch, to, sums, records });
            await own.foldClicks(batch < 8 ? startOfDay(firstDay) : end + 9 * msPerDay);
          }
        }),
      );
      while (await storage.foldClicks(end + 9 * msPerDay));
      await checkTotals({ storage, accountId, links });
      const answer = await storage.statistics(accountId, {
        subject: { kind: 'account' },
        range: ever,
        filters: [],
        limit: 1,
      });
      assert.equal(answer?.totals.clicks, 360);
      assert.deepEqual(await checkDatabase(url), []);
    });

    test('are rejected before the retention, with the earliest time; unknown records have none', async (t) => {
      const url = await engine.newDatabase();
      const now = startOfDay(firstDay) + 5_000;
      const storage = await openStorage(url, { statisticsDays: 3, now: () => now });
      t.after(() => storage.close());
      const { accountId, links } = await build(storage, createRandom(5));
      const other = await build(storage, createRandom(6));
      const ask = (from: number, more: Partial<StatisticsQuestion> = {}) => {
        const range = { from, to: now, buckets: Float64Array.of(from) };
        const question = { subject: { kind: 'account' }, range, filters: [], limit: 1 } as const;
        return storage.statistics(accountId, { ...question, ...more });
      };
      const earliest = startOfDay(firstDay - 2);
      assert.equal((await ask(earliest))?.totals.clicks, 0);
      await assert.rejects(ask(earliest - 1), (error: Failure) => {
        assert.equal(error.code, 'VALIDATION_ERROR');
        assert.equal(error.facts.problems?.[0]?.field, 'from');
        assert.ok(error.message.includes(new Date(earliest).toISOString()));
        return true;
      });
      const [mine, theirs] = [links[0]?.id ?? '', other.links[0]?.id ?? ''];
      assert.ok(await ask(earliest, { subject: { kind: 'link', id: mine } }));
      for (const kind of ['link', 'folder', 'tag'] as const)
        for (const id of [theirs, nextId(), 'none'])
          assert.equal(await ask(earliest, { subject: { kind, id } }), undefined);
      await storage.deleteLink(accountId, mine, now);
      assert.equal(await ask(earliest, { subject: { kind: 'link', id: mine } }), undefined);
    });

    // For a day with many clicks, the result comes from that day's roll-up.
    for (const more of [0, minRollupClicks])
      test(`mark visitors as estimated only for clicks after visitor hashes were deleted: ${3 + more} clicks`, async (t) => {
        const storage = await openStorage(await engine.newDatabase());
        t.after(() => storage.close());
        const random = createRandom(11);
        const world: World = {
          storage,
          ...(await build(storage, random)),
          kept: [],
          waiting: new Set(),
          sealed: new Set(),
          scopes: 0,
          applied: 0,
        };
        const onDay = (day: number, visitor: number): StoredClick => {
          const { click, link } = randomClick(random, world, Number.POSITIVE_INFINITY);
          return { click: { ...click, class: 0, visitor, at: startOfDay(day) + 1_000 }, link, scope: 0 };
        };
        const [late, other] = [firstDay, firstDay + 1];
        const rangeOf = (day: number) => {
          const from = startOfDay(day);
          return { from, to: startOfDay(day + 1), buckets: Float64Array.of(from) };
        };
        const ask = async (day: number, compare?: number) => {
          const question = { subject: { kind: 'account' }, filters: [], limit: 1 } as const;
          const before = compare === undefined ? {} : { compare: rangeOf(compare) };
          return storage.statistics(world.accountId, { ...question, range: rangeOf(day), ...before });
        };
        const now = startOfDay(firstDay + 9);
        const seal = async () => {
          while ((await storage.foldClicks(now)) || (await storage.hasWork('foldClicks', now)));
        };
        const exactly = (clicks: number, visitors: number, isExact: boolean) => [clicks, visitors, isExact];
        const told = async (day: number, compare?: number) => {
          const { totals, visitorsExact } = (await ask(day, compare)) ?? {};
          return [totals?.clicks, totals?.visitors, visitorsExact];
        };
        const many = Array.from({ length: more }, () => onDay(late, 1));
        await apply(world, [...many, onDay(late, 1), onDay(late, 2), onDay(late, 2), onDay(other, 1)], true);
        assert.deepEqual(await told(late), exactly(3 + more, 2, true));
        await seal();
        assert.deepEqual(await told(late), exactly(3 + more, 2, true));
        await apply(world, [onDay(late, 2)], true);
        await seal();
        assert.deepEqual(await told(late), exactly(4 + more, 3, false));
        assert.deepEqual(await told(other), exactly(1, 1, true));
        assert.equal((await told(other, late)).at(-1), false, 'also of the range that it is compared with');
        const inAnswer = await statisticsOf(
          { storage, now: () => now, statisticsDays: undefined } as ApiContext,
          world.accountId,
          { kind: 'account' },
          {
            from: new Date(startOfDay(late)).toISOString(),
            to: new Date(startOfDay(late + 1)).toISOString(),
          },
        );
        assert.deepEqual([inAnswer.totals.visitors, inAnswer.visitorsExact], [3, false]);
      });

    test('scan at most the allowed clicks, and report from when they are complete', async (t) => {
      const url = await engine.newDatabase();
      const storage = await openStorage(url, { maxClicksOfAnswer: 25 });
      t.after(() => storage.close());
      const random = createRandom(9);
      const world: World = {
        storage,
        ...(await build(storage, random)),
        kept: [],
        waiting: new Set(),
        sealed: new Set(),
        scopes: 0,
        applied: 0,
      };
      const all = Array.from({ length: 4 }, (_, at) =>
        Array.from({ length: 10 }, () => {
          const { click, link } = randomClick(random, world, Number.POSITIVE_INFINITY);
          return {
            click: { ...click, at: startOfDay(firstDay + at) + random.below(msPerDay) },
            link,
            scope: 0,
          };
        }),
      ).flat();
      await apply(world, all, true);
      while (await storage.foldClicks(startOfDay(firstDay)));
      const range = { ...ever, to: startOfDay(firstDay + 4) };
      const question = { subject: { kind: 'account' }, range, filters: [], limit: 1 } as const;
      const answer = await storage.statistics(world.accountId, question);
      assert.equal(answer?.incompleteBefore, startOfDay(firstDay + 2));
      assert.equal(answer.totals.clicks, 20);
    });
  });
}
