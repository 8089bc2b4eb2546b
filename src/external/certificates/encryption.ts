import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/**
 * Encrypts secrets such as private keys, so that the database and its backups are useless without the installation's
 * secret.
 */
export interface Encryption {
  /** Encrypts a string. @param about associated data that identifies the record; decrypting requires the same value */
  encrypt(text: string, about: string): Uint8Array;
  /**
   * Decrypts a string.
   * @returns undefined if it was encrypted with another secret or another `about` value, or is damaged
   */
  decrypt(encrypted: Uint8Array, about: string): string | undefined;
}

const algorithm = 'aes-256-gcm';
const version = 1;
const ivBytes = 12;
const tagBytes = 16;

/**
 * Creates an `Encryption` that uses AES-256-GCM. An encrypted string consists of a version, a nonce, a tag and the
 * ciphertext.
 * @param secret at least 32 unguessable characters
 */
export function createEncryption(secret: string): Encryption {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'linkfold certificates', 32));
  return {
    encrypt(text, about) {
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv(algorithm, key, iv).setAAD(Buffer.from(about));
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([Buffer.from([version]), iv, cipher.getAuthTag(), body]);
    },
    decrypt(encrypted, about) {
      const bytes = Buffer.from(encrypted);
      if (bytes[0] !== version || bytes.length < 1 + ivBytes + tagBytes) return undefined;
      const [iv, tag] = [bytes.subarray(1, 1 + ivBytes), bytes.subarray(1 + ivBytes, 1 + ivBytes + tagBytes)];
      const decipher = createDecipheriv(algorithm, key, iv, { authTagLength: tagBytes });
      decipher.setAAD(Buffer.from(about)).setAuthTag(tag);
      try {
        const body = decipher.update(bytes.subarray(1 + ivBytes + tagBytes));
        return Buffer.concat([body, decipher.final()]).toString('utf8');
      } catch {
        return undefined;
      }
    },
  };
}
