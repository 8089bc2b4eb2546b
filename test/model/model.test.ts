import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import { createKey } from '../../src/model/accounts/keys.ts';
import { createIds } from '../../src/model/ids.ts';
import { isPostgresUrl } from '../../src/storage/db/url.ts';
import type { Answer } from '../support/http/ask.ts';
import { engines } from '../support/postgres/databases.ts';
import { withDatabase } from '../support/postgres/with-database.ts';
import { effort, withSeed } from '../support/random/random.ts';
import type { Account, Expected, Key, Learned, Model } from './basics.ts';
import { checkLog } from './log.ts';
import * as expecting from './model.ts';
import { regressions } from './regressions.ts';
import { countsOf, singleClicks } from './single-clicks.ts';
import { anyStep, firstSteps, type Request, type Step, type Taken, take, untilExpiry } from './steps.ts';
import { openWorld, type World } from './world.ts';

const maxSteps = 80;
const shrinkForMs = 60_000;
const everything =
  'title,description,expiresAt,folderId,updatedAt,startsAt,disabled,maxClicks,archived,status,clicksLeft,domain';

let runs = 0;
let races = 0;
/** Number of responses of each kind. It shows which kinds never occur and are therefore not tested. */
const seen = new Map<string, number>();
function saw(kind: string): void {
  seen.set(kind, (seen.get(kind) ?? 0) + 1);
}
/** Kinds of responses that must occur if there are many runs. */
const common = [
  'restart',
  'kill',
  'again REPLAYED',
  'follow LINK_EXPIRED',
  'shorten CUSTOM_CODE_TAKEN',
  'restore OK',
  'follow LINK_NOT_STARTED',
  'follow LINK_UNAVAILABLE',
  'follow LINK_EXHAUSTED',
  'recode OK',
  'alias OK',
  'race json',
];
const usualRuns = 8;
const manyRuns = 40;

interface Run {
  readonly world: World;
  readonly model: Model;
  /** Prefix of names in this run. It differs between runs, because several runs use the same server. */
  readonly name: string;
  readonly auditors: readonly Key[];
  /** Requests with an idempotency key, newest last. */
  readonly repeatable: Taken[];
}

/** Creates two accounts. Each has keys for both plans with every set of scopes, and a key that is never revoked. */
async function begin(world: World): Promise<Run> {
  runs += 1;
  const name = `r${runs}`;
  const accounts = ['a', 'b'].map((one): Account => {
    const own = `${name}-${one}.test`;
    return {
      name: `${name}-${one}`,
      own,
      domain: '',
      links: new Map(),
      folders: new Map(),
      tags: new Map(),
      once: new Map(),
    };
  });
  const newKey = async (
    account: Account,
    plan: Key['plan'],
    scopes: readonly ('links:read' | 'links:write' | 'domains:write')[],
  ) => {
    const asked = { account: account.name, plan, scopes, name: `${plan} ${scopes.length}`, expiresAt: null };
    const { token, key } = await createKey(world.tools.storage, asked, world.now(), world.tools.randomBytes);
    return { ...asked, id: key.id, token, account, revoked: false };
  };
  const both = ['links:read', 'links:write'] as const;
  const all = [...both, 'domains:write'] as const;
  const kinds = (['free', 'starter'] as const).flatMap((plan) =>
    [both, ['links:read'] as const, ['links:write'] as const].map((scopes) => ({ plan, scopes })),
  );
  const wanted = accounts.flatMap((account) => kinds.map((kind) => ({ account, ...kind })));
  const keys = await Promise.all(wanted.map(({ account, plan, scopes }) => newKey(account, plan, scopes)));
  const auditors = await Promise.all(accounts.map((account) => newKey(account, 'starter', all)));
  const model = { now: world.now(), accounts, keys, codes: new Map() };
  for (const { name: owner, own } of accounts) await addDomain(world, owner, own);
  const run = { world, name, auditors, model, repeatable: [] };
  await perform(run, { do: 'default', account: 1, own: true });
  for (const step of firstSteps) await perform(run, step);
  return run;
}

async function perform(run: Run, step: Step): Promise<void> {
  const { world, model, name } = run;
  if (step.do === 'restart' || step.do === 'kill') {
    saw(step.do);
    await world.restart(step.do);
    for (const auditor of run.auditors) await audit(run, auditor);
    return checkClicks(world, model);
  }
  if (step.do === 'wait' || step.do === 'expire') {
    await world.wait(step.do === 'wait' ? step.ms : untilExpiry(model, step));
    model.now = world.now();
    return;
  }
  if (step.do === 'default') return chooseDefault(run, step.account, step.own);
  if (step.do === 'race') return race(run, step);
  if (step.do === 'revoke') return revoke(run, model.keys[step.key]);
  const taken = step.do === 'again' ? run.repeatable.at(-1 - step.pick) : take(model, name, step);
  if (taken === undefined) return;
  if (taken.idempotent && step.do !== 'again') run.repeatable.push(taken);
  for (let times = step.do === 'follow' ? step.times : 1; times > 0; times -= 1) {
    const expected = await hold(world, taken.request, taken.expect);
    const kind = expected.kind === 'refused' ? expected.code : 'replayed' in expected ? 'REPLAYED' : 'OK';
    saw(`${step.do} ${kind}`);
  }
  const { account } = taken.request.key ?? {};
  for (const auditor of run.auditors) {
    if (account === undefined || auditor.account === account) await audit(run, auditor);
  }
}

/** Adds an operator-verified domain to an account. */
async function addDomain({ tools, now }: World, account: string, host: string): Promise<void> {
  const { storage, randomBytes } = tools;
  const id = (await storage.accounts()).find(({ name }) => name === account)?.id ?? assert.fail();
  const stamp = { id: createIds(now, randomBytes)(), createdAt: now() };
  await storage.createDomain(id, { ...stamp, host, token: '', limit: 1, proven: true });
}

/** Sets an account's default domain, which new links without a domain use. */
async function chooseDefault({ world, auditors, model }: Run, which: number, own: boolean): Promise<void> {
  const [key, account] = [auditors[which], model.accounts[which]];
  assert.ok(key && account);
  const headers = {};
  const listed = await world.ask({ method: 'GET', path: '/api/v1/domains', key, headers });
  const { id } = parsed(listed.text).data.find(({ host }: { host: string }) => host === account.own);
  const body = { isDefault: own };
  const answer = await world.ask({ method: 'PATCH', path: `/api/v1/domains/${id}`, key, headers, body });
  assert.equal(answer.status, 200, answer.text);
  account.domain = own ? account.own : '';
  saw('default');
}

async function revoke({ world }: Run, key: Key | undefined): Promise<void> {
  if (key === undefined) return;
  assert.equal(await world.tools.storage.revokeKey(key.id, world.now()), !key.revoked);
  key.revoked = true;
  // The key is revoked directly in the database. On SQLite, the server sees this at its next tick, on PostgreSQL within
  // a second. A busy machine gets more time.
  const asked = { method: 'GET', path: '/api/v1/me', key, headers: {} };
  for (const end = performance.now() + 5_000; isPostgresUrl(world.databaseUrl); await pause(10)) {
    const isRefused = (await world.ask(asked)).status === 401;
    if (isRefused) return;
    assert.ok(performance.now() < end, 'A revoked key is accepted after five seconds.');
  }
}

/** Several editors change the same revision of a link at the same time. One succeeds, and the others are rejected. */
async function race(run: Run, step: Step & { readonly do: 'race' }): Promise<void> {
  const { world, model } = run;
  const auditor = run.auditors.find(({ account }) => account === model.keys[step.key]?.account);
  const { request } = take(model, run.name, { ...step, do: 'get' }) ?? {};
  if (auditor === undefined || request === undefined) return;
  const { headers } = await world.ask({ ...request, key: auditor });
  races += 1;
  const taken = Array.from({ length: step.editors }, (_, n) =>
    take(model, run.name, { ...step, do: 'patch', body: { title: `race ${races} ${n}` } }),
  ).filter((one) => one !== undefined);
  const guard = headers['etag'] === undefined ? {} : { 'if-match': String(headers['etag']) };
  const guarded = taken.map(({ request: asked }) => ({ ...asked, headers: { ...asked.headers, ...guard } }));
  const answers = await Promise.all(guarded.map((asked) => world.ask(asked)));
  const won = answers.findIndex(({ status }) => status === 200);
  const expected = taken[Math.max(0, won)]?.expect({}) ?? assert.fail();
  saw(`race ${expected.kind}`);
  for (const [n, answer] of answers.entries()) {
    if (n === won || expected.kind === 'refused') compare(guarded[n] ?? assert.fail(), answer, expected);
    else assert.deepEqual([answer.status, parsed(answer.text)?.error?.code], [412, 'REVISION_MISMATCH']);
  }
  await audit(run, auditor);
}

/** Reads all of an account's records and compares them with the model. */
async function audit({ world, model }: Run, key: Key): Promise<void> {
  const read = (path: string, expect: () => Expected) =>
    hold(world, { method: 'GET', path: `/api/v1${path}`, key, headers: {} }, expect);
  const query = { limit: '100', include: everything };
  await read(`/links?limit=100&include=${everything}`, () => expecting.list(model, key, query));
  await read('/folders', () => expecting.listFolders(key));
  await read('/me', () => expecting.me(key));
}

/** Asserts that the stored clicks by hour and class match the model. All journals were applied at the restart. */
async function checkClicks({ databaseUrl, tools }: World, model: Model): Promise<void> {
  const accounts = await withDatabase(databaseUrl, async (database) =>
    database.all<{ id: number }>('SELECT id FROM accounts', []),
  );
  const ofAccounts = await Promise.all(accounts.map(({ id }) => singleClicks(tools.storage, Number(id))));
  const byLink = Map.groupBy(ofAccounts.flat(), ({ id }) => id);
  for (const { id, clicks, code } of model.accounts.flatMap(({ links }) => [...links.values()])) {
    const stored = countsOf((byLink.get(id) ?? []).map((click) => `${click.hour} ${click.class}`));
    assert.deepEqual(Object.fromEntries(stored), Object.fromEntries(clicks), `clicks of ${code}`);
  }
}

async function hold(
  world: World,
  request: Request,
  expect: (learned: Learned) => Expected,
): Promise<Expected> {
  const answer = await world.ask(request);
  const json = parsed(answer.text);
  const expected = expect(json?.data ?? json?.folder ?? {});
  try {
    compare(request, answer, expected);
    return expected;
  } catch (error) {
    const { key, ...shown } = request;
    const facts = {
      request: { ...shown, key: key?.name },
      expected,
      answer: { status: answer.status, text: answer.text },
    };
    throw new Error(`${(error as Error).message}\n${JSON.stringify(facts, null, 1)}`);
  }
}

// biome-ignore lint/suspicious/noExplicitAny: responses are checked at run time
function parsed(text: string): any {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function compare(request: Request, { status, headers, text }: Answer, expected: Expected): void {
  const isHead = request.method === 'HEAD';
  switch (expected.kind) {
    case 'json':
      assert.equal(status, expected.status);
      assert.equal(text, JSON.stringify(expected.body));
      assert.equal(headers['location'], expected.location);
      assert.equal(headers['idempotency-replayed'], expected.replayed ? 'true' : undefined);
      return;
    case 'nothing':
      assert.equal(status, expected.status);
      return assert.equal(text, '');
    case 'refused': {
      assert.equal(status, expected.status);
      if (isHead) return assert.equal(text, '');
      const { success, error } = parsed(text);
      // All validation errors are reported, in any order.
      const problems = expected.problems?.map(([field, reason]) => `${field} ${reason}`).sort();
      const details = error.details
        ?.map((one: { field: string; reason: string }) => `${one.field} ${one.reason}`)
        .sort();
      assert.deepEqual([success, error.code, details], [false, expected.code, problems]);
      assert.equal(error.requestId, headers['x-request-id']);
      return assert.ok(error.message.length > 0);
    }
    case 'redirect':
      assert.equal(status, expected.status);
      assert.equal(text, '');
      assert.equal(headers['location'], expected.location);
      return assert.equal(headers['cache-control'], 'no-store');
    case 'page':
      assert.equal(status, expected.status);
      assert.match(headers['content-type'] as string, /^text\/html/);
      return assert.ok(isHead ? text === '' : text.includes(expected.holds), text);
  }
}

class Command implements fc.AsyncCommand<Run, World> {
  readonly step: Step;
  constructor(step: Step) {
    this.step = step;
  }
  check(): boolean {
    return true;
  }
  async run(run: Run): Promise<void> {
    await perform(run, this.step);
  }
  toString(): string {
    return JSON.stringify(this.step);
  }
}

for (const { name, newDatabase, drop, missing } of engines)
  describe(`the service matches the model, on ${name}`, { skip: missing ?? false }, () => {
    let world: World;
    let url: string;
    before(async () => {
      url = await newDatabase();
      // The timeout is long, because on a busy machine the database is slow but available.
      world = await openWorld({ DATABASE_URL: name === 'postgres' ? `${url}&connect_timeout=60` : url });
      seen.clear();
    });
    after(async () => {
      await world.close();
      await drop(url);
    });

    for (const { why, steps } of regressions) {
      test(`regression: ${why}`, async () => {
        const run = await begin(world);
        for (const step of steps) await perform(run, step);
      });
    }

    // On PostgreSQL, everything is slower, so only a quarter of the steps run.
    const { seed, count } = effort(name === 'sqlite' ? usualRuns : usualRuns / 4);
    test('under any operations, restarts and kills', (t) =>
      withSeed(t, { seed, count }, async () => {
        let steps = 0;
        let failedAt: number | undefined;
        const commands = anyStep.map((one) => one.map((step) => new Command(step)));
        const sequence = fc.commands(commands, { maxCommands: maxSteps, size: 'max' });
        const property = fc.asyncProperty(sequence, async (chosen) => {
          // Shrinking is slow, because it also restarts servers. After `shrinkForMs`, the remaining attempts are
          // skipped.
          if (failedAt !== undefined && performance.now() - failedAt > shrinkForMs) return;
          const run = await begin(world);
          const model = fc.asyncModelRun(async () => ({ model: run, real: world }), counted(chosen));
          await model.catch((error: unknown) => {
            failedAt ??= performance.now();
            throw error;
          });
          for (const auditor of run.auditors) {
            await audit(run, auditor);
            await checkLog(world, auditor);
          }
        });
        function* counted(chosen: Iterable<fc.AsyncCommand<Run, World>>) {
          for (const command of chosen) {
            steps += 1;
            yield command;
          }
        }
        const details = await fc.check(property, { seed, numRuns: count });
        t.diagnostic(`${details.numRuns} runs, ${steps} steps`);
        t.diagnostic(JSON.stringify(Object.fromEntries([...seen].sort())));
        if (details.failed)
          throw new Error(fc.defaultReportMessage(details), { cause: details.errorInstance });
        if (count >= manyRuns) for (const kind of common) assert.ok(seen.has(kind), `No run saw "${kind}".`);
      }));
  });
