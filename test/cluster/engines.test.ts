import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { createKey } from '../../src/model/accounts/keys.ts';
import type { Account, Key, Model } from '../model/basics.ts';
import { anyStep, firstSteps, type RequestStep, type Step, take, untilExpiry } from '../model/steps.ts';
import { openWorld, type World } from '../model/world.ts';
import { type Answer, type Asked, ask } from '../support/http/ask.ts';
import { malformedRequests } from '../support/http/malformed-requests.ts';
import { dropPostgresDatabase, newPostgresDatabase, noPostgres } from '../support/postgres/databases.ts';
import { createRandom, effort, withSeed } from '../support/random/random.ts';
import { type OddRequest, oddRequests } from './odd-requests.ts';

const skip = (await noPostgres()) ?? false;
const { seed, count } = effort(200);
const knownWithinMs = 5_000;

type Turn =
  | { readonly step: Step }
  | { readonly odd: OddRequest }
  | { readonly request: Asked; readonly mayClose?: boolean };

/**
 * Three kinds of requests: with content that the model can follow, with odd but valid content, and with invalid
 * content.
 */
const turns: fc.Arbitrary<Turn> = fc.oneof(
  { weight: 4, arbitrary: fc.oneof(...anyStep).map((step) => ({ step })) },
  { weight: 3, arbitrary: oddRequests.map((odd) => ({ odd })) },
  { weight: 2, arbitrary: malformedRequests },
);

/**
 * Returns a response without the parts that differ even between identical servers, such as the date and the request ID.
 */
function comparable({ status, rawHeaders, text }: Answer): object {
  const headers: string[] = [];
  let requestId = '';
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]?.toLowerCase() ?? '';
    if (name === 'x-request-id') requestId = rawHeaders[at + 1] ?? '';
    // The session cookie's name contains the port, so that servers on one machine do not share the cookie.
    const value = (rawHeaders[at + 1] ?? '').replace(/^linkfold-\d+=/, 'linkfold=');
    headers.push(`${rawHeaders[at]}: ${/^(date|x-request-id)$/.test(name) ? '' : value}`);
  }
  // An event stream's reconnection time is random. On PostgreSQL, a rolled-back transaction uses up event IDs.
  const steady = text
    .replace(/^retry: \d+\n/, 'retry: 0\n')
    .replace(/"id":"\d+"/g, '"id":"0"')
    .replace(/"nextCursor":"[^"]*"/g, '"nextCursor":""')
    .replace(/^id: \d+$/gm, 'id: 0');
  return { status, headers, text: requestId === '' ? steady : steady.replaceAll(requestId, 'REQUEST-ID') };
}

/** One service on each of two engines, with the same clock and randomness. */
let worlds: readonly World[] = [];
let postgres = '';

before(async () => {
  if (skip !== false) return;
  postgres = await newPostgresDatabase();
  const chance = { LINKFOLD_TEST_RANDOM: String(seed), SECRET_KEY: 'the-same-secret-key-for-both-engines' };
  // Odd requests use unknown hosts, so this warning is expected.
  const mayWarn = /with status 421/;
  worlds = [
    await openWorld(chance, mayWarn),
    await openWorld({ ...chance, DATABASE_URL: `${postgres}&connect_timeout=60` }, mayWarn),
  ];
});
after(async () => {
  await Promise.all(worlds.map((world) => world.close()));
  if (postgres !== '') await dropPostgresDatabase(postgres);
});

async function answersTo(request: Asked, mayClose = false): Promise<Answer | undefined> {
  const answers = await Promise.all(
    worlds.map((world) =>
      ask({ port: world.port() }, request).catch((error: NodeJS.ErrnoException) => {
        if (mayClose && /^(ECONNRESET|EPIPE)$/.test(error.code ?? '')) return undefined;
        throw error;
      }),
    ),
  );
  const [one, other] = answers;
  if (one === undefined || other === undefined) return undefined;
  const shown = `${request.method} ${request.path} ${String(request.body).slice(0, 500)}`;
  assert.deepEqual(comparable(other), comparable(one), shown);
  return one;
}

let keys = 0;
/** Creates a key that has the same ID and secret on both servers. */
async function newKeys(
  account: Account,
  plan: Key['plan'],
  scopes: readonly ('links:read' | 'links:write')[],
): Promise<Key> {
  const asked = { account: account.name, plan, scopes, name: `${plan} ${scopes.length}`, expiresAt: null };
  keys += 1;
  const keySeed = seed + keys;
  const made = await Promise.all(
    worlds.map(({ tools, now }) => {
      const random = createRandom(keySeed);
      return createKey(tools.storage, asked, now(), (size) =>
        Uint8Array.from({ length: size }, () => random.below(256)),
      );
    }),
  );
  const [{ token, key } = assert.fail()] = made;
  return { ...asked, id: key.id, token, account, revoked: false };
}

async function newModel(): Promise<Model> {
  const accounts = ['a', 'b'].map((name): Account => {
    return {
      name,
      own: `${name}.test`,
      domain: '',
      links: new Map(),
      folders: new Map(),
      tags: new Map(),
      once: new Map(),
    };
  });
  const kinds = (['free', 'starter'] as const).flatMap((plan) =>
    [['links:read', 'links:write'] as const, ['links:read'] as const, ['links:write'] as const].map(
      (scopes) => ({ plan, scopes }),
    ),
  );
  const keys: Key[] = [];
  for (const account of accounts)
    for (const { plan, scopes } of kinds) keys.push(await newKeys(account, plan, scopes));
  return { now: worlds[0]?.now() ?? 0, accounts, keys, codes: new Map() };
}

function authorized({ token }: Key, headers: Readonly<Record<string, string>> = {}) {
  return {
    authorization: `Bearer ${token}`,
    ...headers,
  };
}

/** Revokes a key in both databases, and waits until both servers reject it. */
async function revoke(model: Model, key: Key | undefined): Promise<void> {
  if (key === undefined || key.revoked) return;
  key.revoked = true;
  for (const { tools } of worlds) await tools.storage.revokeKey(key.id, model.now);
  const request = { path: '/api/v1/me', headers: authorized(key) };
  for (const end = performance.now() + knownWithinMs; ; ) {
    const answers = await Promise.all(worlds.map((world) => ask({ port: world.port() }, request)));
    if (answers.every(({ status }) => status === 401)) return;
    assert.ok(performance.now() < end, 'A key that was revoked still works.');
  }
}

async function follow(model: Model, step: Step): Promise<void> {
  if (step.do === 'revoke') return revoke(model, model.keys[step.key]);
  if (step.do === 'wait' || step.do === 'expire') {
    const ms = step.do === 'wait' ? step.ms : untilExpiry(model, step);
    await Promise.all(worlds.map((world) => world.wait(ms)));
    model.now += ms;
    return;
  }
  // Skips steps that change the default domain, because only the shared domain exists in this test. Also skips races,
  // because the winner may differ between engines.
  if (step.do === 'again' || step.do === 'restart' || step.do === 'kill') return;
  if (step.do === 'default' || step.do === 'race') return;
  await request(model, step);
}

async function request(model: Model, step: RequestStep): Promise<void> {
  const { request: wanted, expect } = take(model, 'run', step);
  const { key, body, method, path } = wanted;
  const type = body === undefined ? {} : { 'content-type': 'application/json' };
  const headers = { ...(key !== undefined && authorized(key)), ...type, ...wanted.headers };
  const sent = { method, path, headers, body: body === undefined ? undefined : JSON.stringify(body) };
  const answer = await answersTo(sent);
  const json = answer?.headers['content-type']?.startsWith('application/json')
    ? JSON.parse(answer.text || '{}')
    : {};
  expect(json.data ?? json.folder ?? {}); // Later steps use the result that the model stores here.
  if ('once' in step && step.once !== undefined) await answersTo(sent);
}

test(
  'returns byte-identical responses from both engines',
  {
    skip,
    timeout: 60_000 + count * 300,
  },
  (t) =>
    withSeed(t, { seed, count }, async () => {
      const model = await newModel();
      const known = { links: [] as string[], folders: [] as string[] };
      const stranger = await newKeys({ ...(model.accounts[0] as Account), name: 'odd' }, 'starter', [
        'links:read',
        'links:write',
      ]);
      for (const step of firstSteps) await follow(model, step);
      const seen = new Map<string, number>();
      for (const turn of fc.sample(turns, { seed, numRuns: count })) {
        if ('step' in turn) {
          await follow(model, turn.step);
          continue;
        }
        const asked = 'odd' in turn ? turn.odd(known) : turn.request;
        const mayClose = 'mayClose' in turn ? turn.mayClose : false;
        const answer = await answersTo(
          { ...asked, headers: authorized(stranger, asked.headers as never) },
          mayClose,
        );
        const what = /"code":"(\w+)"/.exec(answer?.text ?? '')?.[1] ?? String(answer?.status);
        seen.set(what, (seen.get(what) ?? 0) + 1);
        if (answer?.status !== 201) continue;
        const { data, folder } = JSON.parse(answer.text);
        if (data !== undefined) known.links.push(data.id);
        if (folder !== undefined) known.folders.push(folder.id);
      }
      for (const key of [stranger, ...model.keys.filter(({ revoked }) => !revoked)]) {
        for (const path of [
          '/links?limit=100&include=title,description,expiresAt,folderId,updatedAt,rules,utm,maxClicks,status,clicksLeft',
          '/links?page=2&limit=7',
          '/folders',
          '/me',
        ])
          await answersTo({ path: `/api/v1${path}`, headers: authorized(key) });
      }
      t.diagnostic(
        `responses to malformed requests: ${[...seen].map(([what, times]) => `${what} ${times}`).join(', ')}`,
      );
    }),
);
