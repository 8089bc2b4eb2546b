// Tests which values settings accept. test/faults/start-failures.test.ts tests how invalid values are reported.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../test/support/files/temporary.ts';
import { loadConfig } from './config.ts';

const page = 'https://app.example.com';

for (const [name, wrong, said] of [
  [
    'TRUST_PROXY',
    ['1.2.3', '10.0.0.0/99', '10.0.0.0/08', '::1/129', '10.0.0.1, foo', ',', 'fe80::1%eth0', '::::'],
    /TRUST_PROXY must be /,
  ],
  [
    'CORS_ORIGINS',
    [`${page}/app`, `*, ${page}`, 'null', 'app.example.com', '*.example.com', 'ftp://a.example'],
    /CORS_ORIGINS contains ".+"; use origins such as/,
  ],
  ['WORKERS', ['0', '257', 'two', '1.5', '-1'], /WORKERS must be an integer from 1 to 256, or auto\./],
] as const) {
  test(`${name} rejects invalid values`, () => {
    for (const value of wrong) assert.throws(() => loadConfig({ [name]: value }), said, value);
  });
}

test('TRUST_PROXY accepts numbers, addresses and networks', () => {
  const networks = ['loopback', '10.0.0.0/8 2001:db8::/32,loopback', '0.0.0.0/0', '::/0', '::1/128'];
  for (const value of ['0', '12', ...networks]) loadConfig({ TRUST_PROXY: value });
});

test('reads app link files, and rejects missing, invalid and large ones', () => {
  const file = join(temporaryFolder('app-links'), 'links.json');
  const read = (): unknown => loadConfig({ ASSET_LINKS: file }).ASSET_LINKS;
  assert.throws(read, /ASSET_LINKS is .+, which does not exist or cannot be read\./);
  for (const [content, said] of [
    ['', /which is not valid JSON\./],
    ['{"applinks":', /which is not valid JSON\./],
    [`"${'a'.repeat(131_071)}"`, /which is larger than 131072 bytes\./],
  ] as const) {
    writeFileSync(file, content);
    assert.throws(read, said);
  }
  writeFileSync(file, ' []\n');
  assert.equal(read(), ' []\n');
});

test('reports each missing HTTPS setting in a sentence', () => {
  const files = { TLS_CERT: 'test/tls/server.crt', TLS_KEY: 'test/tls/server.key' };
  const acme = { HTTPS_PORT: '443', ACME: '1', BASE_URL: 'https://go.example.com' };
  const postgres = { DATABASE_URL: 'postgres://user:password@localhost/linkfold' };
  for (const [env, complaint] of [
    [{ HTTPS_PORT: '443' }, /^HTTPS_PORT requires a certificate/],
    [{ HTTP_PORT: '80' }, /^HTTP_PORT requires HTTPS_PORT/],
    [{ ...files, HTTPS_PORT: '443', TLS_KEY: '' }, /^TLS_CERT and TLS_KEY require each other/],
    [{ ...files, HTTPS_PORT: '443', TLS_CERT: 'package.json' }, /^TLS_CERT is package.json, which is not a/],
    [{ ...files, HTTPS_PORT: '443', TLS_KEY: 'package.json' }, /^TLS_KEY is package.json, which is not a/],
    [{ ...files, HTTPS_PORT: '443', TLS_CERT: 'test/tls/ca.crt' }, /^TLS_KEY is not the private key of/],
    [{ METRICS_PORT: '3000' }, /^PORT and METRICS_PORT are both 3000\. Use different ports\.$/],
    [{ ...files, HTTPS_PORT: '443', HTTP_PORT: '443' }, /^HTTPS_PORT and HTTP_PORT are both 443/],
    [{ ...files, HTTPS_PORT: '3000' }, /^PORT and HTTPS_PORT are both 3000/],
    [{ ...acme, HTTPS_PORT: '' }, /^ACME requires HTTPS_PORT/],
    [{ ...acme, BASE_URL: '' }, /^ACME requires BASE_URL/],
    [{ ...acme, BASE_URL: 'http://go.example.com' }, /^ACME requires BASE_URL/],
    [{ ...acme, BASE_URL: 'https://192.0.2.1' }, /^ACME requires BASE_URL/],
    [{ ...acme, BASE_URL: 'https://localhost' }, /^ACME requires BASE_URL/],
    [{ ...acme, ACME_EAB_KID: 'me' }, /^ACME_EAB_KID and ACME_EAB_KEY require each other/],
    [{ ...acme, ACME_DIRECTORY: 'http://ca.example.com' }, /^ACME_DIRECTORY must be letsencrypt, staging or/],
    [{ ...acme, SECRET_KEY: 'too short' }, /^SECRET_KEY must be at least 32/],
    [{ ...acme, ...postgres }, /^ACME on PostgreSQL requires SECRET_KEY/],
  ] as const)
    assert.throws(
      () => loadConfig(env),
      (error: Error) => complaint.test(error.message),
      JSON.stringify(env),
    );
  for (const env of [
    { ...files, HTTPS_PORT: '443' },
    acme,
    { ...acme, ...postgres, SECRET_KEY: 'x'.repeat(32) },
    { ...acme, ...files },
  ])
    assert.equal(loadConfig(env).HTTPS_PORT, 443);
  assert.match(loadConfig({ ...acme, ACME_DIRECTORY: 'staging' }).ACME_DIRECTORY, /^https:.*staging/);
});
