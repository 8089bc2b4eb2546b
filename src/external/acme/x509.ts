import { createPublicKey, generateKeyPairSync, type KeyObject, sign, X509Certificate } from 'node:crypto';
import { bits, element, integer, octets, oid, sequence, tags } from './der.ts';

const ecdsaWithSha256 = sequence(oid('1.2.840.10045.4.3.2'));
const extensionRequest = oid('1.2.840.113549.1.9.14');
const subjectAltName = oid('2.5.29.17');
const acmeIdentifier = oid('1.3.6.1.5.5.7.1.31');
const authorityKey = oid('2.5.29.35');
const critical = Buffer.from([0x01, 0x01, 0xff]);
const noName = sequence();
/**
 * Fixed validity period for challenge certificates. The period does not depend on this machine's clock, which may be
 * wrong. The authority ignores the period.
 */
const always = sequence(utcTime('200101000000Z'), utcTime('491231235959Z'));

function utcTime(text: string): Buffer {
  return element(0x17, Buffer.from(text));
}

/** Generates a P-256 private key for a certificate or an account. */
export function newKey(): KeyObject {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
}

function publicPart(key: KeyObject): Buffer {
  return createPublicKey(key).export({ type: 'spki', format: 'der' });
}

function signed(content: Buffer, key: KeyObject): Buffer {
  return sequence(content, ecdsaWithSha256, bits(sign('sha256', content, key)));
}

function alternativeName(host: string): Buffer {
  return sequence(subjectAltName, octets(sequence(element(0x82, Buffer.from(host)))));
}

/** Creates a certificate request for one host, in DER (PKCS #10). @param host host name in ASCII */
export function certificateRequest(host: string, key: KeyObject): Buffer {
  const extensions = sequence(extensionRequest, element(tags.set, sequence(alternativeName(host))));
  const version = integer(Buffer.from([0]));
  return signed(sequence(version, noName, publicPart(key), element(0xa0, extensions)), key);
}

/** A self-signed certificate in PEM. */
export interface SelfSigned {
  readonly cert: string;
  readonly key: string;
}

/** Creates the certificate for a TLS-ALPN-01 challenge (RFC 8737). @param proof SHA-256 of the key authorization */
export function challengeCertificate(host: string, proof: Uint8Array): SelfSigned {
  const key = newKey();
  const serial = integer(Buffer.from([1]));
  const identifier = sequence(acmeIdentifier, critical, octets(octets(proof)));
  const extensions = element(0xa3, sequence(alternativeName(host), identifier));
  const version = element(0xa0, integer(Buffer.from([2])));
  const body = [version, serial, ecdsaWithSha256, noName, always, noName, publicPart(key), extensions];
  const der = signed(sequence(...body), key).toString('base64');
  const cert = `-----BEGIN CERTIFICATE-----\n${der}\n-----END CERTIFICATE-----\n`;
  return { cert, key: pemOf(key) };
}

export function pemOf(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }) as string;
}

/**
 * Returns the certificate's identifier for renewal information (RFC 9773, section 4.1).
 * @param chain certificate chain in PEM, with the host's own certificate first
 * @returns undefined if the certificate does not contain its issuer's key identifier
 */
export function renewalName(chain: string): string | undefined {
  const { raw, serialNumber } = new X509Certificate(chain);
  // The extension consists of an object identifier and an octet string. The string contains a sequence, and the
  // sequence's first element, tagged [0], is the key identifier. Together, the headers of the string and the sequence
  // are 4 bytes long.
  const at = raw.indexOf(authorityKey) + authorityKey.length + 4;
  if (at < authorityKey.length + 4 || raw[at] !== 0x80) return undefined;
  const issuer = raw.subarray(at + 2, at + 2 + (raw[at + 1] ?? 0));
  const serial = integer(Buffer.from(serialNumber, 'hex')).subarray(2);
  return `${issuer.toString('base64url')}.${serial.toString('base64url')}`;
}
