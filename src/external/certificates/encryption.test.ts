import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { test } from 'node:test';
import { challengeCertificate } from '../acme/x509.ts';
import { createEncryption } from './encryption.ts';
import { momentIn, pauseAfter, twoThirds } from './times.ts';

test('decrypts a text only with its secret, for its purpose, and unchanged', () => {
  const encryption = createEncryption('a secret of more than thirty-two characters');
  const encrypted = encryption.encrypt('the key', 'go.brand.test');
  assert.equal(encryption.decrypt(encrypted, 'go.brand.test'), 'the key');
  assert.equal(encryption.decrypt(encrypted, 'other.brand.test'), undefined);
  assert.equal(
    createEncryption('another secret of the same length, or so').decrypt(encrypted, 'go.brand.test'),
    undefined,
  );
  for (let at = 0; at < encrypted.length; at += 1) {
    const changed = encrypted.with(at, (encrypted[at] ?? 0) ^ 1);
    assert.equal(encryption.decrypt(changed, 'go.brand.test'), undefined, `byte ${at}`);
    assert.equal(encryption.decrypt(encrypted.slice(0, at), 'go.brand.test'), undefined, `${at} bytes`);
  }
  assert.notDeepEqual(encryption.encrypt('the key', 'go.brand.test'), encrypted);
});

test("renews a host at a fixed time in the authority's window, otherwise after two thirds", () => {
  const window = { start: 1_000_000, end: 2_000_000 };
  const moments = Array.from({ length: 200 }, (_, at) => momentIn(window, `certificate ${at}`));
  assert.ok(moments.every((at) => at >= window.start && at < window.end));
  assert.ok(Math.min(...moments) < 1_100_000 && Math.max(...moments) > 1_900_000);
  assert.equal(momentIn(window, 'certificate 1'), moments[1]);
  assert.equal(twoThirds({ from: 0, to: 90 }), 60);
});

test('retries at most five times in an hour, later every six hours', () => {
  const tries = [0];
  for (let failures = 1; failures < 12; failures += 1) tries.push((tries.at(-1) ?? 0) + pauseAfter(failures));
  for (const [at, time] of tries.entries())
    assert.ok((tries[at + 5] ?? Number.POSITIVE_INFINITY) - time > 3_600_000);
  assert.equal(pauseAfter(100), 6 * 3_600_000);
});

test('creates a self-signed challenge certificate with host and proof', () => {
  const { cert } = challengeCertificate('go.brand.test', new Uint8Array(32).fill(7));
  const read = new X509Certificate(cert);
  assert.equal(read.subjectAltName, 'DNS:go.brand.test');
  assert.ok(read.verify(read.publicKey));
  // RFC 8737, section 3: a critical acmeIdentifier extension, whose value is an octet string with the digest.
  assert.match(read.raw.toString('hex'), new RegExp(`06082b0601050507011f0101ff04220420${'07'.repeat(32)}`));
});
