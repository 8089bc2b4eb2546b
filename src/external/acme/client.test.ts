import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { setDefaultCACertificates } from 'node:tls';
import { type Pebble, pebbleTrust, startPebble, whyNoPebble } from '../../../test/support/http/pebble.ts';
import { type AcmeClient, createAcmeClient } from './client.ts';
import { AcmeProblem } from './problem.ts';
import { newKey } from './x509.ts';

const external = {
  id: 'operator',
  key: 'zWNDZM6eQGHWpSRTPal5eIUYFTu7EajVIoguysqZ9wG44nMEtx3MUAsUDkMTQ12W',
};

describe('a certificate authority that requires an external account', {
  skip: whyNoPebble() ?? false,
}, () => {
  let pebble: Pebble;
  let client: AcmeClient;
  before(async () => {
    setDefaultCACertificates([readFileSync(pebbleTrust, 'utf8')]);
    const externalAccountMACKeys = { [external.id]: external.key };
    pebble = await startPebble(
      { http: 9, tls: 9 },
      { externalAccountBindingRequired: true, externalAccountMACKeys },
    );
    client = createAcmeClient({ directory: pebble.directory, now: Date.now });
  });
  after(() => pebble.stop());

  test('binds a new account to it; the same key returns the same account', async () => {
    const key = newKey();
    const { url } = await client.account(key, 'operator@brand.test', external);
    assert.equal((await client.account(key, undefined, external)).url, url);
  });

  test('rejects other credentials with a message for the operator', async () => {
    const refused = (kind: string) => (error: unknown) =>
      error instanceof AcmeProblem && error.kind === kind && error.message.length > kind.length + 2;
    await assert.rejects(client.account(newKey()), refused('externalAccountRequired'));
    const wrong = { ...external, key: external.key.toLowerCase() };
    await assert.rejects(client.account(newKey(), undefined, wrong), refused('unauthorized'));
  });

  test('distinguishes a refused order, an unreachable address and an invalid response', async () => {
    const account = await client.account(newKey(), undefined, external);
    const asked = {
      account,
      key: newKey(),
      challenge: 'http-01',
      signal: AbortSignal.timeout(30_000),
    } as const;
    const order = client.order({ ...asked, host: 'not_a_host', present: async () => {} });
    await assert.rejects(order, (error) => error instanceof AcmeProblem);
    const proven = client.order({ ...asked, host: 'go.brand.test', present: async () => {} });
    await assert.rejects(proven, /^AcmeProblem: (connection|unauthorized): /);
    const nobody = createAcmeClient({ directory: 'https://localhost:9/dir', now: Date.now });
    await assert.rejects(nobody.account(newKey()), TypeError);
    const nonsense = createAcmeClient({
      directory: new URL('/nothing', pebble.directory).href,
      now: Date.now,
    });
    await assert.rejects(nonsense.account(newKey()), /returned status 404/);
  });
});
