import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSeal, type Seal } from '../certificates/seal.ts';
import type { Config } from '../config.ts';
import { adoptOwner } from '../runtime/files/adopt-owner.ts';
import { dataDirProblem } from './installation.ts';

/** The file with the secret that closes private keys, unless a setting has it. */
export function secretFile(config: Config): string {
  return join(config.DATA_DIR, 'secret-key');
}

/**
 * The secret of this installation; drawn when there is none. Of processes that start at once one draws it for all.
 * @throws Error that names the data directory when the file cannot be read or made
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

/** The seal of this installation, whose secret is drawn when something is closed or opened first. */
export function sealOf(config: Config): Seal {
  let seal: Seal | undefined;
  const opened = (): Seal => {
    seal ??= createSeal(openSecret(config));
    return seal;
  };
  return {
    close: (text, about) => opened().close(text, about),
    open: (sealed, about) => opened().open(sealed, about),
  };
}
