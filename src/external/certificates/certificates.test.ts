import assert from 'node:assert/strict';
import { randomUUID, randomUUIDv7, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { after, before, describe, type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { connect, setDefaultCACertificates } from 'node:tls';
import { type Pebble, pebbleTrust, startPebble, whyNoPebble } from '../../../test/support/http/pebble.ts';
import { freePorts } from '../../../test/support/http/ports.ts';
import { engines } from '../../../test/support/postgres/databases.ts';
import { until } from '../../../test/support/until.ts';
import type { Storage } from '../../model/storage.ts';
import { createPlainPort } from '../../server/tls/plain-port.ts';
import { createTlsPort } from '../../server/tls/tls-port.ts';
import { openStorage } from '../../storage/open.ts';
import { type ChallengeType, createAcmeClient } from '../acme/client.ts';
import { renewalName } from '../acme/x509.ts';
import { createCertificates } from './certificates.ts';
import { createEncryption } from './encryption.ts';
import { createIssuer } from './issuer.ts';

// Tests real handshakes, with certificates from a real ACME server that validates challenges on real ports.

const skip = whyNoPebble() ?? false;
const timeout = 180_000;
const minute = 60_000;
const day = 86_400_000;
const year = 365 * day;
const ours = (host: string): boolean => host.endsWith('.brand.test');

interface Wishes {
  readonly challenge?: ChallengeType;
  readonly secret?: string;
  readonly now?: () => number;
  readonly own?: readonly string[];
  readonly isRoutedHere?: (host: string) => boolean;
  readonly by?: Pebble;
  readonly ports?: { readonly http: number; readonly tls: number };
  /** Replaces the challenge response from storage. */
  readonly proofOf?: (host: string) => Promise<string | undefined>;
  readonly fetch?: typeof fetch;
}

let ports = { http: 0, tls: 0 };
let pebble: Pebble;

async function newPebble(more = {}): Promise<Pebble> {
  const [http = 0, tls = 0] = await freePorts(2);
  ports = { http, tls };
  return startPebble(ports, more);
}

/** Starts a node's ports and certificate management. Several nodes may share `storage`. */
async function startNode(t: TestContext, storage: Storage, wishes: Wishes = {}) {
  const reports: string[] = [];
  const tell = (sentence: string, facts: Readonly<Record<string, unknown>> = {}): void =>
    void reports.push(`${sentence} ${JSON.stringify(facts)}`);
  const { now = Date.now, secret = 'thirty-two characters that nobody knows' } = wishes;
  const { directory } = wishes.by ?? pebble;
  const ending = new AbortController();
  const issuer = createIssuer({
    storage,
    directory,
    now,
    process: randomUUID(),
    signal: ending.signal,
    acme: createAcmeClient({ directory, now, ...(wishes.fetch && { fetch: wishes.fetch }) }),
    challenge: wishes.challenge ?? 'http-01',
    limits: { ofAccount: 2, ofAll: 200 },
    encryption: createEncryption(secret),
    onError: tell,
    onInfo: tell,
  });
  const certificates = createCertificates({
    storage,
    issuer,
    now,
    onError: tell,
    intervalMs: 100,
    hosts: {
      own: () => wishes.own ?? [],
      has: ours,
      isRoutedHere: wishes.isRoutedHere ?? (() => true),
    },
    onFirst: (pair) => port.useByDefault(pair),
  });
  const port = createTlsPort({ ...certificates, onConnection: (socket) => socket.end('hello') });
  const plain = createPlainPort({
    proofOf: async (host, token) => (await wishes.proofOf?.(host)) ?? certificates.proofOf(host, token),
    domainProofOf: async () => undefined,
    isOurs: ours,
    origin: () => 'https://go.brand.test',
  });
  const at = wishes.ports ?? ports;
  const servers = [port.server.listen(at.tls, '127.0.0.1'), plain.listen(at.http, '127.0.0.1')];
  await Promise.all(servers.map((server) => once(server, 'listening')));
  let stopped: Promise<void> | undefined;
  const stop = (): Promise<void> => {
    stopped ??= (async () => {
      ending.abort();
      plain.closeAllConnections();
      for (const server of servers) server.close();
      await certificates.close();
    })();
    return stopped;
  };
  t.after(stop);
  return { told: reports, issuer, certificates, tls: (port.server.address() as AddressInfo).port, stop };
}

/** Performs a TLS handshake like a browser. @returns the certificate that the server presented */
async function shake(port: number, servername: string, options = {}): Promise<X509Certificate> {
  const socket = connect({ port, servername, ca: pebble.root, ...options });
  try {
    await once(socket, 'secureConnect');
    return new X509Certificate(socket.getPeerCertificate().raw);
  } finally {
    socket.on('error', () => {}).destroy();
  }
}

/** Retries handshakes like a visitor. Each handshake waits up to ten seconds, while the order continues. */
async function handshakeUntilIssued(port: number, host: string): Promise<X509Certificate> {
  let found: X509Certificate | undefined;
  await until(`${host} has a certificate`, async () => {
    found = await shake(port, host).catch(() => undefined);
    return found !== undefined;
  });
  return found ?? assert.fail();
}

function ordersOf(authority: Pebble): number {
  return authority.log().split('Added order').length - 1;
}

const isRefused = { code: 'ECONNRESET' };

for (const engine of engines) {
  describe(`certificates on ${engine.name}`, { skip: skip || (engine.missing ?? false) }, () => {
    let storage: Storage;
    let url: string;
    before(async () => {
      setDefaultCACertificates([readFileSync(pebbleTrust, 'utf8')]);
      pebble = await newPebble();
      url = await engine.newDatabase();
      storage = await openStorage(url);
    });
    after(async () => {
      await storage.close();
      await pebble.stop();
    });

    test('orders one certificate per name for 50 names with four parallel handshakes each, and replaces rejected nonces', {
      timeout,
    }, async (t) => {
      let refused = 0;
      const counting: typeof fetch = async (...asked) => {
        const answer = await fetch(...asked);
        if (answer.status === 400 && (await answer.clone().text()).includes('badNonce')) refused += 1;
        return answer;
      };
      const node = await startNode(t, storage, { fetch: counting });
      const began = ordersOf(pebble);
      const names = Array.from({ length: 200 }, (_, at) => `many-${at % 50}.brand.test`);
      const shown = await Promise.all(names.map((name) => handshakeUntilIssued(node.tls, name)));
      assert.deepEqual(
        shown.map((one, at) => one.checkHost(names[at] ?? '')),
        names,
      );
      assert.equal(ordersOf(pebble) - began, 50);
      assert.ok(refused > 0);
      t.diagnostic(`${refused} nonces were refused`);
    });

    test('refuses an unknown host without writing or ordering anything', {
      timeout,
    }, async (t) => {
      const node = await startNode(t, storage);
      const began = ordersOf(pebble);
      await assert.rejects(shake(node.tls, 'somebody.test'), isRefused);
      assert.equal(await storage.certificate('somebody.test'), undefined);
      assert.equal(ordersOf(pebble), began);
    });

    test('orders nothing for a host whose DNS points elsewhere, until it points here', {
      timeout,
    }, async (t) => {
      const host = 'elsewhere.brand.test';
      let isHere = false;
      const node = await startNode(t, storage, { isRoutedHere: (one) => one !== host || isHere });
      const began = ordersOf(pebble);
      await assert.rejects(shake(node.tls, host), isRefused);
      assert.deepEqual([await storage.certificate(host), ordersOf(pebble)], [undefined, began]);
      isHere = true;
      await handshakeUntilIssued(node.tls, host);
    });

    test('delays hosts of an account over its limit, with reason and time, and no other hosts', {
      timeout,
    }, async (t) => {
      let clock = 0;
      const node = await startNode(t, storage, { now: () => Date.now() + clock });
      const { id: account = 0 } = (await storage.createAccount('many-domains', Date.now())) ?? {};
      const hosts = [1, 2, 3].map((n) => `limited-${n}.brand.test`);
      const more = { createdAt: Date.now(), limit: 9, proven: true };
      for (const host of hosts)
        await storage.createDomain(account, { id: randomUUIDv7(), host, token: host, ...more });
      const [first = '', second = '', third = ''] = hosts;
      await handshakeUntilIssued(node.tls, first);
      await handshakeUntilIssued(node.tls, second);
      const began = [ordersOf(pebble), (await storage.certificateCounts()).waiting] as const;
      await assert.rejects(shake(node.tls, third), isRefused);
      await assert.rejects(shake(node.tls, third), isRefused);
      const row = (await storage.certificates()).find(({ host }) => host === third);
      assert.match(row?.problem ?? '', /^Waiting: 2 certificates .* for this account within an hour\.$/);
      assert.ok(Math.abs((row?.dueAt ?? 0) - Date.now() - 60 * minute) < 5 * minute);
      assert.deepEqual(
        [ordersOf(pebble), (await storage.certificateCounts()).waiting],
        [began[0], began[1] + 1],
      );
      await handshakeUntilIssued(node.tls, 'not-limited.brand.test');
      clock = 61 * minute;
      await handshakeUntilIssued(node.tls, third);
      assert.equal((await storage.certificate(third))?.problem, null);
    });

    test("orders another certificate at the operator's request; metrics report the state of all", {
      timeout,
    }, async (t) => {
      const host = 'again.brand.test';
      const node = await startNode(t, storage);
      node.certificates.start();
      const { serialNumber } = await handshakeUntilIssued(node.tls, host);
      const state = async () => (await storage.certificates()).find((one) => one.host === host);
      assert.equal((await state())?.failures, 0);
      assert.equal(await storage.requestCertificate('nobodys.brand.test'), false);
      assert.equal(await storage.requestCertificate(host), true);
      await until(
        'the host has another certificate',
        async () => (await shake(node.tls, host)).serialNumber !== serialNumber,
      );
      await until('the renewal is postponed', async () => ((await state())?.dueAt ?? 0) > Date.now());
      const ends = (await storage.certificates()).flatMap(({ expiresAt }) => expiresAt ?? []);
      const [at = 0] = [Date.parse((await shake(node.tls, host)).validTo)];
      assert.equal((await state())?.expiresAt, at);
      await until('the counts are updated', () => node.certificates.counts()?.held === ends.length);
      assert.equal(node.certificates.counts()?.firstExpiresAt, Math.min(...ends));
    });

    test('reports a failed challenge, retries with growing pauses, and affects no other host', {
      timeout,
    }, async (t) => {
      let clock = 0;
      let isBroken = true;
      let claims = 0;
      const counted: Storage = {
        ...storage,
        claimCertificate: (...all) => {
          claims += 1;
          return storage.claimCertificate(...all);
        },
      };
      const node = await startNode(t, counted, {
        now: () => Date.now() + clock,
        proofOf: async (host) => (isBroken && host === 'broken.brand.test' ? 'nonsense' : undefined),
      });
      await assert.rejects(shake(node.tls, 'broken.brand.test'), isRefused);
      await handshakeUntilIssued(node.tls, 'sound.brand.test');
      const row = await storage.certificate('broken.brand.test');
      assert.match(row?.problem ?? '', /^unauthorized: .*nonsense/);
      assert.equal(row?.failures, 1);
      const began = [ordersOf(pebble), claims];
      await assert.rejects(shake(node.tls, 'broken.brand.test'), isRefused);
      assert.deepEqual([ordersOf(pebble), claims], began, 'nothing is requested, nothing is written');
      const { failing = 0 } = await storage.certificateCounts();
      assert.ok(failing >= 1);
      node.certificates.start();
      clock = minute + 1_000;
      await until('it is tried again', async () => {
        const { failures = 0, dueAt = 0 } = (await storage.certificate('broken.brand.test')) ?? {};
        return failures === 2 && dueAt > Date.now() + 5 * minute;
      });
      isBroken = false;
      clock = 8 * minute;
      await handshakeUntilIssued(node.tls, 'broken.brand.test');
      assert.match(node.told.join('\n'), /Could not obtain a certificate\. .*broken/);
      assert.equal((await storage.certificate('broken.brand.test'))?.problem, null);
    });

    test('orders once for two concurrent requests of a process', { timeout }, async (t) => {
      const { issuer } = await startNode(t, storage);
      const began = ordersOf(pebble);
      const [first, second] = await Promise.all([
        issuer.renewIfDue('twice.brand.test'),
        issuer.renewIfDue('twice.brand.test'),
      ]);
      assert.ok(first);
      assert.equal(second, first);
      assert.equal(ordersOf(pebble) - began, 1);
      assert.equal((await storage.certificate('twice.brand.test'))?.problem, null);
    });

    test('continues an order at once after a restart, and after the claim expires when killed', {
      timeout,
    }, async (t) => {
      const asked = Promise.withResolvers<void>();
      const silent = await startNode(t, storage, {
        proofOf: () => {
          asked.resolve();
          return new Promise<undefined>(() => {});
        },
      });
      const refused = assert.rejects(shake(silent.tls, 'restart.brand.test'));
      await asked.promise;
      await silent.stop();
      await refused;
      const at = Date.now();
      assert.ok(
        await storage.claimCertificate('killed.brand.test', 'a dead process', at, at + 15_000, false),
      );
      let clock = 0;
      const node = await startNode(t, storage, { now: () => Date.now() + clock });
      await shake(node.tls, 'restart.brand.test');
      const waiting = handshakeUntilIssued(node.tls, 'killed.brand.test');
      clock = 15_000;
      await waiting;
    });

    test('two nodes: one order per name, either answers the challenge, both show the same state', {
      timeout,
    }, async (t) => {
      const other = await openStorage(url);
      t.after(() => other.close());
      const proving = await startNode(t, storage);
      const asking = await startNode(t, other, { ports: { http: 0, tls: 0 } });
      const began = ordersOf(pebble);
      const names = Array.from({ length: 8 }, (_, at) => `both-${at}.brand.test`);
      const [here, there] = await Promise.all(
        [asking, proving].map((node) =>
          Promise.all(names.map((name) => handshakeUntilIssued(node.tls, name))),
        ),
      );
      assert.deepEqual(
        here?.map((one) => one.serialNumber),
        there?.map((one) => one.serialNumber),
      );
      assert.equal(ordersOf(pebble) - began, names.length);
    });

    test('keeps serving cached certificates while storage is unavailable, and refuses other hosts', {
      timeout,
    }, async (t) => {
      const other = await openStorage(url);
      const node = await startNode(t, other);
      const { serialNumber } = await handshakeUntilIssued(node.tls, 'memory.brand.test');
      await other.close();
      assert.equal((await shake(node.tls, 'memory.brand.test')).serialNumber, serialNumber);
      await assert.rejects(shake(node.tls, 'away.brand.test'), isRefused);
    });

    test('encrypts private keys; with another secret, reports it and orders again', {
      timeout,
    }, async (t) => {
      const node = await startNode(t, storage);
      const { serialNumber } = await handshakeUntilIssued(node.tls, 'sealed.brand.test');
      const row = await storage.certificate('sealed.brand.test');
      assert.doesNotMatch(Buffer.from(row?.key ?? []).toString('latin1'), /PRIVATE|BEGIN/);
      await node.stop();
      const again = await startNode(t, storage);
      assert.equal((await shake(again.tls, 'sealed.brand.test')).serialNumber, serialNumber);
      await again.stop();
      // A node with another secret reports once, at the first handshake, that it cannot decrypt the key.
      const other = await startNode(t, storage, { secret: 'another secret of the same length' });
      for (let time = 0; time < 2; time += 1)
        await assert.rejects(shake(other.tls, 'sealed.brand.test'), isRefused);
      assert.equal(other.told.filter((line) => /Could not decrypt .* serves no HTTPS/.test(line)).length, 1);
      await other.stop();
      const now = (): number => Date.now() + 11 * minute;
      const strange = await startNode(t, storage, { secret: 'another secret of the same length', now });
      const anew = await handshakeUntilIssued(strange.tls, 'sealed.brand.test');
      assert.notEqual(anew.serialNumber, serialNumber);
      assert.match(strange.told.join('\n'), /Could not decrypt .* with this SECRET_KEY/);
    });

    test('TLS-ALPN-01: answers the challenge on the HTTPS port while visitors get the old certificate', {
      timeout,
    }, async (t) => {
      const node = await startNode(t, storage, { challenge: 'tls-alpn-01' });
      await handshakeUntilIssued(node.tls, 'alpn.brand.test');
      const [at, token, proof] = [Date.now(), 'token', 'token.proof'];
      assert.ok(await storage.claimCertificate('alpn.brand.test', 'an order', at, at + minute, true));
      assert.ok(
        await storage.extendCertificateClaim('alpn.brand.test', 'an order', at + minute, { token, proof }),
      );
      const challenge = { ALPNProtocols: ['acme-tls/1'], rejectUnauthorized: false };
      const shown = await shake(node.tls, 'alpn.brand.test', challenge);
      assert.match(shown.raw.toString('hex'), /06082b0601050507011f0101ff04220420/);
      assert.notEqual((await shake(node.tls, 'alpn.brand.test')).issuer, shown.issuer);
      assert.equal((await shake(node.tls, 'alpn.brand.test', { ALPNProtocols: ['http/1.1'] })).ca, false);
      assert.ok(
        await storage.saveCertificateResult('alpn.brand.test', 'an order', {
          dueAt: at + year,
          failures: 0,
          problem: null,
        }),
      );
      await assert.rejects(shake(node.tls, 'alpn.brand.test', challenge));
    });

    test('renews when the authority says, and names the replaced certificate', { timeout }, async (t) => {
      const requests: string[] = [];
      const [start, end] = [Date.now() - 2 * minute, Date.now() - minute].map((at) =>
        new Date(at).toISOString(),
      );
      let window = {};
      const informing: typeof fetch = async (input, init) => {
        if (String(input) === pebble.directory) {
          const known = (await (await fetch(input, init)).json()) as object;
          return Response.json({ ...known, renewalInfo: 'https://renewal.test' });
        }
        if (String(input).startsWith('https://renewal.test/')) {
          requests.push(String(input));
          return Response.json({ suggestedWindow: window }, { headers: { 'retry-after': '21600' } });
        }
        const { payload = '' } = init?.body === undefined ? {} : JSON.parse(String(init.body));
        const text = Buffer.from(payload, 'base64url').toString();
        if (text.includes('replaces')) requests.push(text);
        return fetch(input, init);
      };
      const node = await startNode(t, storage, { own: ['renewed.brand.test'], fetch: informing });
      window = {
        start: new Date(Date.now() + year).toISOString(),
        end: new Date(Date.now() + year).toISOString(),
      };
      const { serialNumber } = await handshakeUntilIssued(node.tls, 'renewed.brand.test');
      const chain = (await storage.certificate('renewed.brand.test'))?.chain ?? '';
      const makeDue = async (): Promise<void> => {
        const at = Date.now();
        assert.ok(await storage.claimCertificate('renewed.brand.test', 'a test', at, at + minute, true));
        await storage.saveCertificateResult('renewed.brand.test', 'a test', {
          dueAt: at,
          failures: 0,
          problem: null,
        });
      };
      await makeDue();
      node.certificates.start();
      await until('it asks', () => requests.length === 1);
      assert.equal(requests[0], `https://renewal.test/${renewalName(chain)}`);
      assert.equal((await shake(node.tls, 'renewed.brand.test')).serialNumber, serialNumber);
      await until('it has a time for the next request', async () => {
        const { dueAt = 0 } = (await storage.certificate('renewed.brand.test')) ?? {};
        return Math.abs(dueAt - Date.now() - 6 * 60 * minute) < minute;
      });
      window = { start, end };
      await makeDue();
      await until('it is renewed', async () => {
        return (await shake(node.tls, 'renewed.brand.test')).serialNumber !== serialNumber;
      });
      assert.match(requests.at(-1) ?? '', new RegExp(`"replaces":"${renewalName(chain)}"`));
      // Clients without SNI get the first host's certificate.
      assert.equal(
        (await shake(node.tls, '', { checkServerIdentity: () => undefined })).checkHost('renewed.brand.test'),
        'renewed.brand.test',
      );
    });
  });
}

describe('renewal over time', { skip }, () => {
  let storage: Storage;
  before(async () => {
    setDefaultCACertificates([readFileSync(pebbleTrust, 'utf8')]);
    storage = await openStorage((await engines[0]?.newDatabase()) ?? '');
  });
  after(() => storage.close());

  test('renews nine-second certificates under load without failed handshakes or expired certificates', {
    timeout,
  }, async (t) => {
    pebble = await newPebble({ certificateValidityPeriod: 9 });
    t.after(pebble.stop);
    const node = await startNode(t, storage, { own: ['short.brand.test'] });
    // Removes the certificate, because it would be due for renewal within seconds, and the next test counts orders.
    t.after(() => storage.removeCertificate('short.brand.test'));
    node.certificates.start();
    await handshakeUntilIssued(node.tls, 'short.brand.test');
    const seen = new Set<string>();
    const late: string[] = [];
    // Runs until three different certificates have been seen, which takes about two certificate lifetimes.
    for (const began = Date.now(); seen.size < 3 && Date.now() - began < 60_000; ) {
      const asked = Date.now();
      const shown = await Promise.all(
        Array.from({ length: 4 }, () => shake(node.tls, 'short.brand.test', { rejectUnauthorized: false })),
      );
      for (const { serialNumber, validTo } of shown) {
        seen.add(serialNumber);
        if (Date.parse(validTo) < asked - 1_000) late.push(validTo);
      }
      await pause(100);
    }
    assert.deepEqual(late, []);
    assert.ok(seen.size >= 3, `${seen.size} certificates`);
  });

  test('keeps a certificate while the authority is unavailable or the clock is wrong, with pauses between retries', {
    timeout,
  }, async (t) => {
    pebble = await newPebble({ certificateValidityPeriod: 3_600 });
    t.after(() => pebble.stop());
    let clock = -2 * year;
    const node = await startNode(t, storage, { now: () => Date.now() + clock });
    node.certificates.start();
    const { serialNumber } = await handshakeUntilIssued(node.tls, 'kept.brand.test');
    await pebble.stop();
    clock = 2_401_000;
    await until('it fails', () => node.told.some((one) => one.includes('Could not obtain a certificate')));
    assert.match(node.told.join('\n'), /kept\.brand\.test.*ECONNREFUSED.*"hasCertificate":true/);
    assert.equal((await shake(node.tls, 'kept.brand.test')).serialNumber, serialNumber);
    // The postponed renewal is stored a moment after the failure is reported.
    const putOff = (times: number) =>
      until('the renewal is postponed', async () => {
        const { failures = 0 } = (await storage.certificate('kept.brand.test')) ?? {};
        return failures >= times;
      });
    await putOff(1);
    // The certificate authority is available again, but has lost all accounts.
    await pebble.start();
    clock += minute + 1_000;
    await until('it notices', () => node.told.some((one) => one.includes('accountDoesNotExist')));
    await putOff(2);
    clock += 5 * minute + 1_000;
    await until('it has a new one', () => node.told.some((one) => one.includes('Check the clock.')));
    // The visitor trusts only the new root. The new certificate may be in use a moment after it is reported.
    assert.notEqual((await handshakeUntilIssued(node.tls, 'kept.brand.test')).serialNumber, serialNumber);
    const orders = ordersOf(pebble);
    await pause(1_000);
    assert.equal(ordersOf(pebble), orders);
    // A renewal time that was stored while the clock was days ahead is ignored.
    clock = -2 * day;
    await until('by the correct clock, the renewal is due in the future', async () => {
      const { failures, dueAt = 0 } = (await storage.certificate('kept.brand.test')) ?? {};
      return failures === 0 && dueAt > Date.now() + clock;
    });
    assert.equal(ordersOf(pebble), orders);
  });
});
