import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import { createEncryption, type Encryption } from '../external/certificates/encryption.ts';
import { adoptOwner } from '../runtime/files/adopt-owner.ts';
import { dataDirProblem } from './installation.ts';

/**
 * Returns the path of the file with the secret used to encrypt private keys. The file is not used if SECRET_KEY is set.
 */
export function secretFile(config: Config): string {
  return join(config.DATA_DIR, 'secret-key');
}

/**
 * Returns this installation's secret, and generates it if it does not exist. If several processes start at the same
 * time, one of them generates it for all.
 * @throws Error that names the data directory if the file cannot be read or created
 */
export function openSecret(config: Config): string {
  if (config.SECRET_KEY !== null) return config.SECRET_KEY;
  const path = secretFile(config);
  const part = `${path}.part-${randomBytes(4).toString('hex')}`;
  try {
    const known = readIfThere(path);
    if (known !== undefined) return known;
    writeFileSync(part, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flag: 'wx', flush: true });
    adoptOwner(part);
    try {
      linkSync(part, path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    } finally {
      rmSync(part, { force: true });
    }
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    throw dataDirProblem(config, error);
  }
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Returns the functions that encrypt and decrypt with this installation's secret. The secret is read or generated on
 * first use.
 */
export function encryptionOf(config: Config): Encryption {
  let encryption: Encryption | undefined;
  const loaded = (): Encryption => {
    encryption ??= createEncryption(openSecret(config));
    return encryption;
  };
  return {
    encrypt: (text, about) => loaded().encrypt(text, about),
    decrypt: (encrypted, about) => loaded().decrypt(encrypted, about),
  };
}
