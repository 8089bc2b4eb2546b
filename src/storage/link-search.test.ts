// Compares search results and their order with a simple filter over all links, on every engine, while links are edited,
// deleted, moved and tagged, and tags are renamed, merged and deleted. Some links have not been indexed yet.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { engines } from '../../test/support/postgres/databases.ts';
import type { Link } from '../model/links/link-records.ts';
import {
  hostOf,
  type LinkPlace,
  type LinkSearch,
  type LinkState,
  linkSorts,
  linkStates,
  type SortOrder,
  searchWords,
  sortOrders,
} from '../model/links/link-search.ts';
import { tagKey, tagName } from '../model/links/tags.ts';
import type { Storage } from '../model/storage.ts';
import { openStorage } from './open.ts';
import { createAndRead, newLink, nextId } from './storage.fixtures.ts';

const runs = Number(process.env['LINKFOLD_COUNT'] ?? 25);
const now = 1_000_000;

interface KnownTag {
  readonly id: string;
  name: string;
}

interface Known {
  readonly link: Link;
  readonly tags: Set<KnownTag>;
  readonly made: number;
  readonly location: string;
  clicks: number;
  lastHour: number | null;
  isLive: boolean;
}

/** Maps letters to the letters that searches treat as equal. */
const same: Readonly<Record<string, string>> = {
  Ä: 'a',
  ä: 'a',
  É: 'e',
  é: 'e',
  Ж: 'ж',
  Σ: 'σ',
  '\u0308': '',
};
function plain(text: string): string {
  return [...text]
    .map((letter) => same[letter] ?? (letter <= '\x7f' ? letter.toLowerCase() : letter))
    .join('');
}

function stateOf({ disabled, expiresAt, startsAt }: Link): LinkState {
  if (disabled === 1) return 'disabled';
  if (expiresAt !== null && expiresAt <= now) return 'expired';
  return startsAt !== null && startsAt > now ? 'scheduled' : 'active';
}

function matches(
  { link, tags, location, isLive }: Known,
  search: LinkSearch,
  words: readonly string[],
): boolean {
  const { folder, status, archived, createdAfter = 0, createdBefore = now * 10, host } = search;
  const kept = location === link.destination ? '' : location;
  const texts = [link.code, link.destination, kept, link.title ?? '', link.description ?? ''].map(plain);
  return (
    isLive &&
    (folder.kind === 'all' || link.folderId === (folder.kind === 'folder' ? folder.id : null)) &&
    (status === undefined || status === stateOf(link)) &&
    (archived === undefined || archived === (link.archived === 1)) &&
    link.createdAt >= createdAfter &&
    link.createdAt < createdBefore &&
    (host === undefined || new URL(location).host === host) &&
    words.every((word) =>
      /^[a-z0-9][a-z0-9_-]?$/.test(word)
        ? texts[0]?.startsWith(word)
        : [...texts, ...[...tags].map(({ name }) => plain(name))].some((text) => text.includes(word)),
    )
  );
}

function keyIn({ link, clicks, lastHour }: Known, { sort }: LinkSearch): number | string | null {
  if (sort === 'clicks') return clicks === 0 ? null : clicks;
  if (sort === 'lastClickAt') return lastHour;
  if (sort === 'title')
    return link.title === null ? null : link.title.replace(/[A-Z]/g, (a) => a.toLowerCase());
  return link[sort];
}

/** Returns all matching links in search order. */
function expected(known: readonly Known[], search: LinkSearch, words: readonly string[]): string[] {
  const found = known
    .filter((one) => matches(one, search, words))
    .map((one) => ({ ...one, key: keyIn(one, search) }));
  const keyless = found.filter(({ key }) => key === null).sort((a, b) => b.made - a.made);
  const keyed = found.filter(({ key }) => key !== null);
  keyed.sort((a, b) => compare(a.key, b.key) || a.made - b.made);
  if (search.order === 'desc') keyed.reverse();
  const keylessFirst = search.sort === 'clicks' && search.order === 'asc';
  return (keylessFirst ? [...keyless, ...keyed] : [...keyed, ...keyless]).map(({ link }) => link.id);
}

function compare(a: number | string | null, b: number | string | null): number {
  if (typeof a === 'string' && typeof b === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(b));
  return Number(a) - Number(b);
}

const letter = fc.constantFrom(...'aabbcAB12%_\\-"', 'Ä', 'ä', 'é', 'É', 'Ж', 'ж', 'Σ', '東', '🚀', '\u0308');
const prose = fc.string({ unit: fc.oneof(letter, letter, fc.constant(' ')), maxLength: 9 });
const hosts = ['a.example', 'b.example', 'b.example:8080', 'xn--exmple-cua.com'];
const destination = fc
  .record({
    host: fc.constantFrom('a.example', 'B.example', 'b.example:8080', 'exämple.com'),
    path: fc.string({ unit: fc.constantFrom(...'abA%1_'), maxLength: 6 }),
  })
  .map(({ host, path }) => `https://${host}/${path.replaceAll('%', '%25')}`);
const draft = fc.record({
  destination,
  title: fc.option(prose),
  description: fc.option(prose, { freq: 1 }),
  expiresAt: fc.option(fc.integer({ min: now - 3, max: now + 3 })),
  startsAt: fc.option(fc.integer({ min: now - 3, max: now + 3 })),
  disabled: fc.constantFrom(0, 0, 0, 1),
  archived: fc.constantFrom(0, 0, 1),
  inFolder: fc.boolean(),
});
const nth = fc.nat({ max: 40 });
const nameOfTag = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('Aäb', 'AABc', 'abÉ', 'bBé A1') },
  {
    weight: 1,
    arbitrary: fc.string({ unit: letter, minLength: 1, maxLength: 6 }).filter((name) => plain(name) !== ''),
  },
);
const step = fc.oneof(
  { weight: 12, arbitrary: fc.record({ kind: fc.constant('make' as const), draft }) },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('edit' as const), nth, title: fc.option(prose), destination }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('remove' as const, 'move' as const), nth }) },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('click' as const), nth, hour: fc.integer({ min: 1, max: 4 }) }),
  },
  { weight: 12, arbitrary: fc.record({ kind: fc.constant('tag' as const), nth, name: nameOfTag }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constantFrom('rename' as const, 'merge' as const, 'untag' as const),
      nth,
      name: nameOfTag,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('index' as const), max: fc.constantFrom(3, 10_000) }),
  },
);
const word = fc.oneof(
  fc.string({ unit: letter, minLength: 1, maxLength: 4 }),
  fc.constantFrom('example', 'c1', 'https://b', 'xn--'),
  fc.constantFrom('aab', 'abe', 'be', 'abc'),
);
const question = fc.record({
  search: fc.array(word, { maxLength: 2 }).map((words) => words.join(' ')),
  sort: fc.constantFrom(...linkSorts),
  order: fc.constantFrom<SortOrder>(...sortOrders),
  folder: fc.constantFrom('all' as const, 'all' as const, 'none' as const, 'folder' as const),
  status: fc.constantFrom(undefined, undefined, ...linkStates),
  archived: fc.constantFrom(undefined, undefined, true, false),
  created: fc.option(fc.tuple(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 0, max: 40 })), { freq: 1 }),
  host: fc.constantFrom(undefined, undefined, ...hosts),
  limit: fc.integer({ min: 1, max: 7 }),
  walked: fc.constantFrom(1, 3, 1_000),
});

for (const engine of engines) {
  describe(`finding links on ${engine.name}`, { skip: engine.missing ?? false }, () => {
    let url = '';
    let storage: Storage;
    let accounts = 0;
    let journal = 0;
    before(async () => {
      url = await engine.newDatabase();
      storage = await openStorage(url);
    });
    after(async () => {
      await storage.close();
      await engine.drop(url);
    });

    test('finds the same links as a plain filter, page by page', () =>
      fc.assert(
        fc.asyncProperty(
          fc.array(step, { minLength: 20, maxLength: 50 }),
          fc.array(question, { minLength: 8, maxLength: 8 }),
          async (steps, questions) => {
            const [mine, foreign] = [await account(), await account()];
            const folderId = nextId();
            await storage.createFolder(mine, { id: folderId, name: 'f', createdAt: 1 });
            const known: Known[] = [];
            const tags: KnownTag[] = [];
            for (const one of steps) await perform(one, mine, foreign, folderId, known, tags);
            while ((await storage.rollUpClicks(0, 1_000)) !== undefined);
            for (const { folder, created, search: text, host, ...rest } of questions) {
              const search: LinkSearch = {
                ...rest,
                now,
                offset: 0,
                words: searchWords(text),
                host,
                total: 'cheap',
                folder: folder === 'folder' ? { kind: 'folder', id: folderId } : { kind: folder },
                ...(created && { createdAfter: created[0], createdBefore: created[1] }),
              };
              const words = [...new Set(plain(text).split(' '))].filter((part) => part !== '');
              const ids = expected(known, search, words);
              await checkPages(mine, search, ids, known);
              assert.deepEqual(
                known.length > 0 &&
                  (await storage.findLinks(foreign, search)).links.filter(({ link }) =>
                    known.some((one) => one.link.id === link.id),
                  ),
                known.length > 0 && [],
              );
            }
          },
        ),
        { numRuns: runs },
      ));

    async function account(): Promise<number> {
      accounts += 1;
      const made = await storage.createAccount(`account-${accounts}`, 1);
      assert.ok(made);
      return made.id;
    }

    async function perform(
      one: typeof step extends fc.Arbitrary<infer S> ? S : never,
      mine: number,
      theirs: number,
      folderId: string,
      known: Known[],
      tags: KnownTag[],
    ): Promise<void> {
      if (one.kind === 'index') {
        await storage.emptyTags(one.max);
        return void (await storage.indexLinks(one.max));
      }
      if (one.kind === 'rename' || one.kind === 'merge' || one.kind === 'untag')
        return changeTag(one, mine, known, tags);
      if (one.kind === 'make') {
        const { inFolder, ...more } = one.draft;
        const made = known.length;
        const location = new URL(more.destination).href;
        const code = `${made % 3 === 0 ? 'C' : 'd'}1-${accounts}-${made}`;
        const link = await createAndRead(
          storage,
          mine,
          newLink(code, { ...more, location, folderId: inFolder ? folderId : null, createdAt: made }),
        );
        await storage.createLink(theirs, newLink(`x${code}`, { ...more, location }));
        known.push({ link, tags: new Set(), made, location, clicks: 0, lastHour: null, isLive: true });
        return;
      }
      const at = one.nth % Math.max(1, known.length);
      const found = known[at];
      if (found === undefined) return;
      const { id } = found.link;
      if (one.kind === 'remove') {
        await (found.isLive ? storage.deleteLink(mine, id, now) : storage.restoreLink(mine, id, now));
        found.isLive = !found.isLive;
      }
      if (!found.isLive) return;
      if (one.kind === 'tag') {
        const tag = tags.find(({ name }) => tagKey(name) === tagKey(one.name)) ?? {
          id: nextId(),
          name: one.name,
        };
        if (!tags.includes(tag)) tags.push(tag);
        found.tags.add(tag);
        const choice = [...found.tags].map((carried) => ({ id: carried.id, name: tagName(carried.name) }));
        await storage.updateLink(mine, id, { tags: { tags: choice, at: 1, limit: 1_000 } }, now + at);
      }
      if (one.kind === 'move') await storage.moveLink(mine, id, folderId, now + at);
      if (one.kind === 'edit') {
        const location = new URL(one.destination).href;
        await storage.updateLink(
          mine,
          id,
          { title: one.title, destination: one.destination, location },
          now + at,
        );
        known[at] = { ...found, location };
      }
      const stored = await storage.link(mine, id);
      assert.ok(stored);
      const { row, clicks: _, ...link } = stored.link;
      known[at] = { ...(known[at] as Known), link: { ...link, clicks: 0 } };
      if (one.kind !== 'click') return;
      journal += 1;
      const sums = new Float64Array([row, one.hour, 0, 2]);
      await storage.applyClicks({ journal: 'j', from: journal - 1, to: journal, sums });
      const last = Math.max(found.lastHour ?? 0, one.hour) * 3_600_000;
      assert.equal((await storage.link(mine, id))?.link.lastClickAt, last, 'before the fold');
      // Rolls up all clicks, because sorting by clicks uses the rolled-up counts.
      while ((await storage.rollUpClicks(0, 1_000)) !== undefined);
      const { clicks, lastHour } = known[at] as Known;
      Object.assign(known[at] as Known, { clicks: clicks + 2, lastHour: Math.max(lastHour ?? 0, one.hour) });
    }

    /** Changes a tag. All links but one are left for the background work to update. */
    async function changeTag(
      { kind, nth, name }: { kind: 'rename' | 'merge' | 'untag'; nth: number; name: string },
      mine: number,
      known: readonly Known[],
      tags: KnownTag[],
    ): Promise<void> {
      const tag = tags[nth % Math.max(1, tags.length)];
      const into = tags.find((other) => other !== tag);
      if (tag === undefined) return;
      if (kind === 'rename') {
        if (tags.some((other) => other !== tag && tagKey(other.name) === tagKey(name))) return;
        await storage.renameTag(mine, tag.id, tagName(name), now);
        tag.name = name;
        return;
      }
      if (kind === 'merge' && into === undefined) return;
      if (kind === 'merge' && into !== undefined) await storage.mergeTags(mine, tag.id, into.id, now, 1);
      else await storage.deleteTag(mine, tag.id, 1);
      tags.splice(tags.indexOf(tag), 1);
      for (const one of known)
        if (one.tags.delete(tag) && kind === 'merge' && into !== undefined) one.tags.add(into);
    }

    async function checkPages(
      mine: number,
      search: LinkSearch,
      ids: readonly string[],
      known: readonly Known[],
    ): Promise<void> {
      const found: string[] = [];
      let after: LinkPlace | undefined;
      for (let page = 0; ; page += 1) {
        const { links, total, last } = await storage.findLinks(mine, { ...search, after });
        found.push(...links.map(({ link }) => link.id));
        if (total !== null) assert.equal(total, ids.length, `the total of page ${page}`);
        assert.ok(links.length === search.limit || last === null);
        if (last === null) break;
        after = last;
      }
      assert.deepEqual(found, ids);
      const offset = Math.floor(ids.length / 2);
      const page = await storage.findLinks(mine, { ...search, offset, total: 'always' });
      for (const { link } of page.links) {
        const { lastHour = null } = known.find((one) => one.link.id === link.id) ?? {};
        assert.equal(link.lastClickAt, lastHour === null ? null : lastHour * 3_600_000);
      }
      assert.deepEqual(
        page.links.map(({ link }) => link.id),
        ids.slice(offset, offset + search.limit),
      );
      assert.equal(page.total, ids.length);
    }
  });
}

test('searches hosts in the form used by destinations', () => {
  assert.deepEqual(['Example.COM', 'exämple.com:8080', ' a.example ', '[::1]:80'].map(hostOf), [
    'example.com',
    'xn--exmple-cua.com:8080',
    'a.example',
    '[::1]',
  ]);
  assert.deepEqual(
    ['', 'https://a.example', 'a.example/x', 'user@a.example', 'a b', 'a:99999'].map(hostOf),
    Array(6).fill(undefined),
  );
});
