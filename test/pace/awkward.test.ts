// No string, with any characters and in any field, takes much longer to process than plain letters of the same length.
// If a pattern took quadratic time, one request could block all others.
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';
import { type App, createApp } from '../../src/app/app.ts';
import { clean as cleanForTerminal } from '../../src/cli/terminal/print.ts';
import { loadConfig, type SettingName, settings } from '../../src/config.ts';
import { clean as cleanForLog, createLog } from '../../src/telemetry/log.ts';
import { temporaryFolder } from '../support/files/temporary.ts';
import {
  awkwardTexts,
  bodySlots,
  headerSlots,
  liveCode,
  request,
  type Slot,
  targetSlots,
} from '../support/random/awkward-texts.ts';

/**
 * Maximum ratio between the costs of two strings. It is generous, because quadratic work costs hundreds of times as
 * much.
 */
const maxTimes = 10;
/** CPU time in µs. A request that costs less does not delay others noticeably. */
const unnoticed = 2_000;
/** The same limit for strings that are not in requests. Processing these may be slow, as long as it is linear. */
const unnoticedByPeople = 50_000;
/**
 * Number of times that each target is requested. Targets are so short that only repeated requests show quadratic work.
 */
const asksOfTarget = 2;
/** Number of attempts, because other programs may interfere. Code that is really slow fails every attempt. */
const attempts = 6;

let app: App;
let port: number;
let key: string;

before(async () => {
  const env = {
    PORT: '0',
    DATA_DIR: temporaryFolder('data'),
    LOG_LEVEL: 'silent',
    TRUST_PROXY: '2',
    // The limits are disabled, because requests that are rejected early would not be measured.
    AUTH_FAILURE_LIMIT: '0',
    CODE_MISS_LIMIT: '0',
    METRICS_TOKEN: 'a-token-of-this-test',
  };
  // No collector listens on this port, but the setting makes the server read the trace headers.
  process.env['OTEL_EXPORTER_OTLP_ENDPOINT'] = 'http://127.0.0.1:9';
  app = await createApp(loadConfig(env), { log: await createLog('silent') });
  const started = await app.listen();
  port = started.port;
  key = started.firstKey ?? '';
  const body = JSON.stringify({ url: 'https://example.com/', customCode: liveCode });
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  assert.match(await ask(request('POST', '/api/v1/shorten', headers, body)), / 201 /);
});
after(() => app?.close());

/**
 * Sends a request and waits for the complete response.
 * @returns the status line
 */
function ask(request: Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1' });
    let answer = '';
    const end = (): void => {
      socket.destroy();
      resolve(answer.split('\r\n', 1)[0] ?? '');
    };
    socket.on('data', (chunk: Buffer) => {
      answer += chunk.toString('latin1');
      const head = answer.indexOf('\r\n\r\n');
      if (head === -1) return;
      const length = /\r\ncontent-length: (\d+)/i.exec(answer.slice(0, head))?.[1] ?? '0';
      if (answer.length >= head + 4 + Number(length)) end();
    });
    socket.on('error', reject).on('end', end);
    socket.write(request);
  });
}

/** Returns the CPU time in µs of this process, which is both the client and the server. */
async function costOf(work: () => unknown): Promise<number> {
  const begun = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(begun);
  return user + system;
}

interface Work {
  readonly unit: string;
  readonly work: () => unknown;
}

async function compare(name: string, plain: () => unknown, awkward: readonly Work[], most = unnoticed) {
  let usual = Number.POSITIVE_INFINITY;
  for (let at = 0; at < attempts; at += 1) usual = Math.min(usual, await costOf(plain));
  for (const { unit, work } of awkward) {
    let cost = Number.POSITIVE_INFINITY;
    for (let at = 0; at < attempts && cost > maxTimes * usual + most; at += 1)
      cost = Math.min(cost, await costOf(work));
    const said = `${name}: ${JSON.stringify(unit)} takes ${cost} µs, letters ${usual} µs`;
    assert.ok(cost <= maxTimes * usual + most, said);
  }
}

async function compareSlots(slots: readonly Slot[], asks = 1): Promise<void> {
  const askOften = async (request: Buffer): Promise<void> => {
    for (let at = 0; at < asks; at += 1) await ask(request);
  };
  for (const { name, plain, awkward } of slots) {
    const works = awkward.map(({ unit, request }) => ({ unit, work: () => askOften(request()) }));
    await compare(name, () => askOften(plain), works);
  }
}

test('answers the plain request with a valid key', async () => {
  const slots = [...bodySlots(key), ...headerSlots(key), ...targetSlots(key)];
  for (const { name, plain } of slots) assert.match(await ask(plain), /^HTTP\/1.1 [2-4]\d\d /, name);
  const [fields] = bodySlots(key);
  assert.match(await ask(fields?.plain ?? Buffer.from('')), / 400 /, 'beyond the check of the key');
  const names = slots.map(({ name }) => name);
  for (const name of ['POST /shorten url', 'PATCH /links/:id/destination url', 'PATCH /folders/:id name'])
    assert.ok(names.includes(name), name);
});

test('every field of every body', async () => compareSlots(bodySlots(key)));
test('every header', async () => compareSlots(headerSlots(key)));
test('every path and query', async () => compareSlots(targetSlots(key), asksOfTarget));

test('every setting', async () => {
  for (const name of Object.keys(settings) as SettingName[]) {
    const read = (text: string) => (): void => {
      try {
        settings[name].read(text);
      } catch {
        // A rejected value is fine, because only the time matters.
      }
    };
    const base = settings[name].fallback ?? 'https://example.com/';
    const texts = awkwardTexts(base, 60_000).map(({ unit, text }) => ({ unit, work: read(text) }));
    await compare(name, read('a'.repeat(60_000)), texts, unnoticedByPeople);
  }
});

test('output in logs and on terminals', async () => {
  for (const clean of [cleanForLog, cleanForTerminal]) {
    const texts = awkwardTexts('lfk_', 60_000).map(({ unit, text }) => ({ unit, work: () => clean(text) }));
    await compare(clean.name, () => clean('a'.repeat(60_000)), texts, unnoticedByPeople);
  }
});
