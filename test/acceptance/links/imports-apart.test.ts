import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type DnsServer, startDns } from '../../support/dns/dns-server.ts';
import { createRandom, effort, type Random, withSeed } from '../../support/random/random.ts';
import { type Api, freshCode } from '../../support/server/records.ts';
import { as, call, type Server, startServer } from '../../support/server/server.ts';
import { until } from '../../support/until.ts';

type Line = Readonly<Record<string, unknown>>;
const end = { type: 'end', links: 0, visits: 0, buckets: 0, counters: 0, problems: 0 };
const day = (of: number): string => `2025-03-${String(of).padStart(2, '0')}T00:00:00.000Z`;
const url = 'https://example.com/';

describe('importing several installations', () => {
  let server: Server;
  let dns: DnsServer;
  let reading = 0;
  before(async () => {
    dns = await startDns();
    server = await startServer({ DNS_SERVERS: dns.address, TAG_LIMIT: '40' });
  });
  after(async () => {
    await server.stop();
    await dns.close();
  });

  const account = async (): Promise<Api> => as(server, (await server.newKey()).key);
  const activeDomain = async (api: Api, codes = 'folded'): Promise<string> => {
    const host = `${freshCode()}.example.com`.toLowerCase();
    const { id, records } = (await api.post('/api/v1/domains', { host, codes })).json.data;
    for (const { type, name, value } of records) dns.zone[name] = { [type]: [value] };
    const proven = await api.post(`/api/v1/domains/${id}/verify`);
    assert.equal(proven.json.data.status, 'active', proven.text);
    return host;
  };
  const settled = async (api: Api, id: string, state: string) => {
    const get = async () => (await api.get(`/api/v1/imports/${id}`)).json.data;
    await until(`the import is ${state}`, async () => (await get()).state === state);
    return get();
  };
  const take = async (api: Api, lines: readonly Line[], more: Line = {}) => {
    reading += 1;
    const readAt = new Date(Date.UTC(2026, 0, 1) + reading * 1_000).toISOString();
    const begun = await api.post('/api/v1/imports', { source: 'yourls', readAt, ...more });
    assert.equal(begun.status, 201, begun.text);
    const { id } = begun.json.data;
    const sent = await api.post(`/api/v1/imports/${id}/lines`, { position: 0, lines: [...lines, end] });
    assert.equal(sent.status, 200, sent.text);
    return settled(api, id, 'done');
  };
  const undo = async (api: Api, id: string) => {
    await api.post(`/api/v1/imports/${id}/undo`);
    return settled(api, id, 'undone');
  };
  const report = async (api: Api, id: string): Promise<Line[]> => {
    const { text } = await api.get(`/api/v1/imports/${id}/report?format=ndjson`);
    return text
      .trim()
      .split('\n')
      .filter(Boolean)
      .map((row: string) => JSON.parse(row));
  };
  const found = async (api: Api, code: string, include = 'tags,rules,disabled,redirectStatus') =>
    (await api.get(`/api/v1/links/by-code/${code}?include=${include}`)).json?.data;
  const isSound = async () =>
    assert.equal((await server.command('db', 'check')).trim().split('\n').length, 1);

  test('treats a key with another domain or code as another link, without mixing clicks', async () => {
    const api = await account();
    const [one, other, code] = [await activeDomain(api), await activeDomain(api), freshCode()];
    const link = (domain: string, more: Line = {}): Line => ({
      type: 'link',
      key: '1',
      domain,
      code,
      url,
      ...more,
    });
    const clicks = (count: number): Line[] => [
      { type: 'bucket', key: '1', at: day(1), unit: 'day', clicks: count },
      { type: 'counter', key: '1', clicks: count + 1 },
    ];
    await take(api, [link(one), ...clicks(9)]);
    const before = (await api.get('/api/v1/links')).json.data;
    const stranger = { url: 'https://example.org/stranger' };
    for (const line of [link(other, stranger), link(one, { ...stranger, code: freshCode() })])
      for (const onConflict of ['skip', 'overwrite', 'rename']) {
        // Clicks that follow a rejected link count as clicks without a link.
        const done = await take(api, [line, ...clicks(40)], { onConflict });
        const { refused, clicks: dated, clicksOfNoLink, undatedOfNoLink } = done.counts;
        assert.deepEqual([refused, dated, clicksOfNoLink, undatedOfNoLink], [1, 0, 40, 41], onConflict);
        assert.match(String((await report(api, done.id))[0]?.['reason']), /a different link.*--source NAME/);
        assert.deepEqual((await api.get('/api/v1/links')).json.data, before);
      }
    // With an installation name, the link is imported in addition to the first one.
    const done = await take(api, [link(other, stranger), ...clicks(3)], { installation: 'second' });
    assert.deepEqual([done.counts.taken, done.counts.clicks], [1, 3]);
    const domains = (await api.get('/api/v1/domains')).json.data;
    for (const [host, count] of [
      [one, 9],
      [other, 3],
    ] as const) {
      const { id } = domains.find((domain: { host: string }) => domain.host === host);
      const stats = await api.get(`/api/v1/domains/${id}/stats?from=2025-01-01&to=2025-12-31&timezone=UTC`);
      assert.equal(stats.json.data.totals.clicks, count, 'clicks belong to the domain of their link');
    }
    await isSound();
  });

  test('changes or drops parts that cannot be imported, each with a line in the report', async () => {
    const api = await account();
    const os = (value: string, to: string): Line => ({
      when: [{ fact: 'os', values: [value] }],
      to: { url: to },
    });
    const cases: readonly (readonly [given: Line, kept: Line, reports: readonly RegExp[]])[] = [
      [{ title: 'two\nlines\tand\u0007a bell' }, { title: 'two lines and a bell' }, [/^title: /]],
      [{ title: 'é'.repeat(5_000) }, { title: 'é'.repeat(255) }, [/^title: cut to 255/]],
      [{ title: '😀'.repeat(300) }, { title: '😀'.repeat(255) }, [/^title: cut/]],
      [{ title: '' }, { title: '' }, []],
      [{ description: 'a\r\nb\u0000' }, { description: 'a\nb ' }, [/^description: /]],
      [
        { tags: ['t'.repeat(255), 'a,b', '', '  ', ' ok '] },
        { tags: ['a b', 'ok', 't'.repeat(50)] },
        [/^tags: "t+" is now/, /"a,b" is now "a b"/, /dropped ""/, /dropped " {2}"/],
      ],
      [
        { tags: Array.from({ length: 22 }, (_, at) => `t${10 + at}`) },
        { tags: Array.from({ length: 20 }, (_, at) => `t${10 + at}`) },
        [/dropped "t30"/, /dropped "t31"/],
      ],
      [
        { url: 'https://example.com/with space/x y?q=a b' },
        { destinationUrl: 'https://example.com/with%20space/x%20y?q=a%20b' },
        [/^url: percent-encoded/],
      ],
      [
        { url: 'https://example.com\\a\\b?c=\\d' },
        { destinationUrl: 'https://example.com/a/b?c=%5Cd' },
        [/^url: /],
      ],
      [
        { url: 'https://example.com/\u200bx' },
        { destinationUrl: 'https://example.com/%E2%80%8Bx' },
        [/^url: /],
      ],
      [
        { rules: [os('ios', 'myapp://open'), os('android', 'https://example.com/a b')] },
        { rules: [os('android', 'https://example.com/a%20b')] },
        [/^rules\[1\]\.to: percent/, /^rules\[0\].*dropped/],
      ],
      [{ rules: [os('ios', 'myapp://open')] }, { rules: null }, [/dropped/]],
      [
        {
          rules: [{ when: [], to: { url, apps: { ios: { appUrl: 'acme://a' }, android: { appUrl: url } } } }],
        },
        { rules: [{ when: [], to: { url, apps: { android: { appUrl: url } } } }] },
        [/^rules\[0\]\.to\.apps\.ios\.appUrl: dropped\..* uses the scheme acme, which/],
      ],
      [
        { rules: [{ when: [], to: { url, apps: { ios: { appUrl: 'javascript:alert(1)' } } } }] },
        { rules: [{ when: [], to: { url } }] },
        [/^rules\[0\]\.to\.apps\.ios\.appUrl: dropped\. .* must not use javascript:/],
      ],
      [
        { rules: [{ when: [{ fact: 'language', values: ['zh_Hans'] }], to: { url } }] },
        { rules: [{ when: [{ fact: 'language', values: ['zh-Hans'] }], to: { url } }] },
        [],
      ],
      [{ redirectStatus: 301 }, { redirectStatus: 301 }, []],
      [{ redirectStatus: 303 }, { redirectStatus: null }, [/^redirectStatus: dropped/]],
      [{ externalId: 'a b' }, { disabled: false }, [/^externalId: dropped/]],
      [{ aliases: ['a b?'] }, { disabled: false }, [/^aliases: dropped a b\?/]],
      [{ password: 'abc' }, { disabled: true }, [/^password: dropped; the link is disabled/]],
      [{ lost: ['password'] }, { disabled: true }, [/^password: .*disabled/]],
      [{ passwordHash: 'pbkdf2:unknown' }, { disabled: true }, [/^password: .*disabled/]],
      [{ maxClicks: 0 }, { disabled: true }, [/^maxClicks: dropped; the link is disabled/]],
      [{ maxClicks: 10, clicksUsed: 7 }, { maxClicks: 10, clicksLeft: 3 }, []],
      [{ maxClicks: 10, clicksUsed: 61 }, { clicksLeft: 0, status: 'exhausted' }, []],
      [{ expiredUrl: 'tel:123' }, { disabled: false }, [/^expiredUrl: dropped/]],
    ];
    const lines = cases.map(([given], at): Line => {
      const code = freshCode();
      return { type: 'link', key: String(at), domain: null, code, url, ...given };
    });
    const bad = [
      'https://user:pw@example.com/',
      'mailto:a@example.com',
      `https://example.com/${'a'.repeat(2_100)}`,
    ];
    const refused = bad.map((one, at) => ({
      ...lines[0],
      key: `bad${at}`,
      code: freshCode(),
      url: one,
      title: 'T',
    }));
    const done = await take(api, [...lines, ...refused]);
    const rows = await report(api, done.id);
    assert.deepEqual(
      [done.counts.taken, done.counts.refused],
      [lines.length, bad.length],
      JSON.stringify(rows),
    );
    assert.equal(done.counts.mended, rows.filter(({ outcome }) => outcome === 'mended').length);
    for (const [at, [given, kept, reports]] of cases.entries()) {
      const about = JSON.stringify(given).slice(0, 100);
      const link = await found(
        api,
        String(lines[at]?.['code']),
        'tags,rules,disabled,redirectStatus,maxClicks,clicksLeft,status',
      );
      for (const [name, value] of Object.entries(kept))
        assert.deepEqual(link[name], value, `${name} of ${about}`);
      const mended = rows.filter(({ line, outcome }) => line === at + 1 && outcome === 'mended');
      assert.equal(mended.length, reports.length, `${about}: ${JSON.stringify(mended)}`);
      for (const [place, pattern] of reports.entries())
        assert.match(String(mended[place]?.['reason']), pattern);
      if (link.disabled) assert.equal((await call(server, 'GET', `/${link.shortCode}`)).status, 410);
    }
    const before = (await api.get('/api/v1/tags')).json.data.length;
    const many = Array.from({ length: 45 - before }, (_, at) => freshTag(at));
    const beyond = await take(
      api,
      many.map(({ code, tag }) => ({ ...lines[0], key: code, code, title: 'T', tags: [tag] })),
    );
    assert.deepEqual([beyond.counts.taken, beyond.counts.refused, beyond.counts.mended], [many.length, 0, 5]);
    assert.equal((await api.get('/api/v1/tags')).json.data.length, 40);
  });
  const freshTag = (at: number) => ({ code: freshCode(), tag: `tag-${at}` });

  test('rejects codes that differ only in case, with the fix; reports a repeated key', async () => {
    const api = await account();
    const code = freshCode().toLowerCase();
    const link = (key: string, of: string, to = url): Line => ({
      type: 'link',
      key,
      domain: null,
      code: of,
      url: to,
    });
    const lines = [
      link('1', code),
      link('2', code.toUpperCase()),
      link('1', code),
      link('1', code, `${url}other`),
    ];
    const done = await take(api, lines);
    const told = await report(api, done.id);
    assert.deepEqual(
      told.map(({ outcome }) => outcome),
      ['taken', 'refused', 'skipped', 'refused'],
    );
    assert.match(String(told[1]?.['reason']), /differ only in case.*case-sensitive/);
    const again = await take(api, lines, { onConflict: 'overwrite' });
    assert.deepEqual(
      (await report(api, again.id)).map(({ outcome }) => outcome),
      ['unchanged', 'refused', 'skipped', 'refused'],
    );
    assert.equal((await found(api, code)).destinationUrl, url);
  });

  test('matches a plain reference after any sequence of imports, re-reads and undos', async (t) => {
    const { count, seed } = effort(14);
    await withSeed(t, { count, seed }, async () => {
      const random = createRandom(seed);
      const api = await account();
      const domains = [await activeDomain(api), await activeDomain(api), null];
      const world = createReference(domains);
      const shared = new URL(server.url).hostname;
      const ids: string[] = [];
      for (let step = 0; step < count; step += 1) {
        const undoable = world.undoable();
        if (undoable.length > 0 && random.chance(0.35)) {
          const which = random.pick(undoable);
          await undo(api, ids[which] as string);
          world.undo(which);
        } else {
          const { lines, installation } = world.file(random);
          const onConflict = random.pick(['skip', 'overwrite', 'overwrite'] as const);
          const done = await take(api, lines, { source: 'kutt', installation, onConflict });
          ids.push(done.id);
          const expected = world.take(ids.length - 1, installation, lines, onConflict);
          const { taken, changed, unchanged, clicks, unchangedClicks, undatedClicks } = done.counts;
          assert.deepEqual(
            { taken, changed, unchanged, clicks: clicks - unchangedClicks + undatedClicks },
            expected,
            `step ${step}`,
          );
        }
        const { data } = (
          await api.get(
            '/api/v1/links?limit=100&include=tags,title,disabled,maxClicks,expiresAt,domain,lastClickAt',
          )
        ).json;
        const shown = data.map((link: Line) =>
          JSON.stringify(
            [
              'domain',
              'shortCode',
              'destinationUrl',
              'title',
              'tags',
              'disabled',
              'maxClicks',
              'expiresAt',
              'clicks',
              'lastClickAt',
            ].map((name) => (link[name] === shared ? null : (link[name] ?? null))),
          ),
        );
        assert.deepEqual(shown.sort(), world.shown(), `step ${step}`);
        const stats = await api.get('/api/v1/stats?from=2025-01-01&to=2025-12-31&timezone=UTC');
        assert.equal(stats.json.data.totals.clicks, world.dated(), `step ${step}`);
      }
      await isSound();
    });
  });
});

interface Fields {
  readonly url: string;
  readonly title?: string;
  readonly tags?: readonly string[];
  readonly maxClicks?: number;
  readonly expiresAt?: string;
  readonly disabled?: true;
}
type Names = Record<string, unknown>;
interface Made {
  readonly by: number;
  readonly domain: string | null;
  readonly code: string;
  fields: Names;
  /** Changes by imports, each with the previous values of the fields. The last change is undone first. */
  readonly changes: { readonly by: number; readonly was: Names }[];
  /** Number of imported clicks per day and import. */
  readonly days: Map<number, Map<number, number>>;
  readonly counters: Map<number, number>;
}

/**
 * Reference implementation of imports. Creates one link per installation, key, domain and code. For each day, only the
 * import with the most clicks counts.
 */
function createReference(domains: readonly (string | null)[]) {
  const links = new Map<string, Made>();
  const undone = new Set<number>();
  let imports = 0;
  const codes = Array.from({ length: 5 }, () => freshCode());
  const largest = (counts: ReadonlyMap<number, number>): number => Math.max(0, ...counts.values());
  const datedOf = ({ days }: Made): number =>
    [...days.values()].reduce((sum, counts) => sum + largest(counts), 0);
  const clicksOf = (made: Made): number => Math.max(datedOf(made), largest(made.counters));
  const all = (): number => [...links.values()].reduce((sum, made) => sum + clicksOf(made), 0);
  const withDefaults = ({ url: destination, title, tags = [], ...more }: Fields): Names => ({
    ...{ destination, title: title ?? null, tags: [...tags].sort(), disabled: more.disabled ?? false },
    ...{ maxClicks: more.maxClicks ?? null, expiresAt: more.expiresAt ?? null },
  });

  return {
    undoable: () => Array.from({ length: imports }, (_, at) => at).filter((at) => !undone.has(at)),

    file({ below, pick, chance }: Random) {
      const installation = pick(['a', 'b', 'c']);
      const lines: Line[] = [];
      for (let key = 0; key < 4; key += 1) {
        if (chance(0.2)) continue;
        const at = 'abc'.indexOf(installation);
        // Sometimes a row has another code or domain.
        const [domain, code] = chance(0.1) ? [pick(domains), pick(codes)] : [domains[at] ?? null, codes[key]];
        const fields: Fields = {
          url: `https://example.com/${installation}/${below(3)}`,
          ...(chance(0.5) && { title: `T${below(3)}` }),
          ...(chance(0.5) && { tags: [pick(['x', 'y', 'z'])] }),
          ...(chance(0.3) && { maxClicks: 1 + below(3) }),
          ...(chance(0.3) && { expiresAt: `203${below(3)}-01-01T00:00:00.000Z` }),
          ...(chance(0.2) && { disabled: true as const }),
        };
        lines.push({ type: 'link', key: String(key), domain, code, ...fields });
        for (let of = 1; of <= 3; of += 1)
          if (chance(0.5))
            lines.push({ type: 'bucket', key: String(key), at: day(of), unit: 'day', clicks: 1 + below(6) });
        if (chance(0.5)) lines.push({ type: 'counter', key: String(key), clicks: below(25) });
      }
      return { lines, installation };
    },

    take(number: number, installation: string, lines: readonly Line[], onConflict: string) {
      imports = number + 1;
      const counts = { taken: 0, changed: 0, unchanged: 0 };
      const before = all();
      const of = new Map<string, Made | undefined>();
      for (const line of lines) {
        const { type, key, domain, code, clicks, at, ...rest } = line as Line & {
          key: string;
          code: string;
          domain: string | null;
          clicks: number;
          at: string;
        };
        if (type === 'link') {
          const name = `${installation} ${key}`;
          const there = links.get(name);
          const { type: _type, ...fields } = rest as unknown as Fields & { type: unknown };
          const given = withDefaults(fields);
          if (there === undefined) {
            const isTaken = [...links.values()].some((made) => made.domain === domain && made.code === code);
            if (isTaken) continue;
            const made = {
              by: number,
              domain,
              code,
              fields: given,
              changes: [],
              days: new Map(),
              counters: new Map(),
            };
            links.set(name, made);
            of.set(key, made);
            counts.taken += 1;
          } else if (there.domain === domain && there.code === code) {
            of.set(key, there);
            const sent = Object.keys(given).filter((field) => field === 'destination' || field in fields);
            const was = Object.fromEntries(
              sent.flatMap((field) =>
                JSON.stringify(there.fields[field]) === JSON.stringify(given[field])
                  ? []
                  : [[field, there.fields[field]]],
              ),
            );
            if (onConflict === 'skip' || Object.keys(was).length === 0) counts.unchanged += 1;
            else {
              there.changes.push({ by: number, was });
              there.fields = {
                ...there.fields,
                ...Object.fromEntries(sent.map((field) => [field, given[field]])),
              };
              counts.changed += 1;
            }
          }
          continue;
        }
        const made = of.get(key);
        if (made === undefined) continue;
        if (type === 'counter') {
          if (clicks > largest(made.counters)) made.counters.set(number, clicks);
        } else {
          const days = made.days.getOrInsertComputed(Number(at.slice(8, 10)), () => new Map());
          // An equal sum for the same day changes nothing.
          if (clicks > largest(days)) days.set(number, clicks);
        }
      }
      return { ...counts, clicks: all() - before };
    },

    undo(number: number): void {
      undone.add(number);
      for (const [name, made] of links) {
        const last = made.changes.at(-1);
        // A link that only imports have changed counts as unchanged, so undoing the import that created it deletes the
        // link.
        if (made.by === number) {
          links.delete(name);
          continue;
        }
        if (last?.by === number) {
          made.changes.pop();
          made.fields = { ...made.fields, ...last.was };
        }
        for (const days of made.days.values()) days.delete(number);
        made.counters.delete(number);
      }
    },

    shown: () =>
      [...links.values()]
        .map((made) => {
          const last = Math.max(
            0,
            ...[...made.days].flatMap(([of, counts]) => (largest(counts) > 0 ? of : [])),
          );
          const { destination, title, tags, disabled, maxClicks, expiresAt } = made.fields;
          const lastClickAt = last === 0 ? null : day(last).replace('T00', 'T12');
          return JSON.stringify([
            made.domain,
            made.code,
            destination,
            title,
            tags,
            disabled,
            maxClicks,
            expiresAt,
            clicksOf(made),
            lastClickAt,
          ]);
        })
        .sort(),
    dated: () => [...links.values()].reduce((sum, made) => sum + datedOf(made), 0),
  };
}
