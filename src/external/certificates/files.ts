import { X509Certificate } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { createSecureContext, type SecureContext } from 'node:tls';
import type { Report } from '../../runtime/report.ts';
import type { Pair } from './issuer.ts';

/** A certificate that the operator provides and renews. */
export interface CertificateFiles {
  context(): SecureContext;
  pair(): Pair;
  covers(host: string): boolean;
  /** Returns its expiry, ms since the epoch. */
  expiresAt(): number;
  /** Checks now whether the files have changed, instead of at the next interval. */
  look(): void;
  close(): void;
}

const checkEveryMs = 5_000;

interface FilesOptions {
  /** Paths of the chain and its key, in PEM. */
  readonly cert: string;
  readonly key: string;
  /** Called with a changed certificate. */
  readonly onChange: (pair: Pair) => void;
  readonly onError: Report;
  readonly onInfo: Report;
}

/**
 * Reads the files, and rereads them when they change, so that a renewed certificate is in use within seconds.
 * @throws Error if they cannot be read, or don't match
 */
export function openCertificateFiles(options: FilesOptions): CertificateFiles {
  const { cert, key, onChange, onError, onInfo } = options;
  const read = () => {
    const pair = { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') };
    return { pair, context: createSecureContext(pair), leaf: new X509Certificate(pair.cert) };
  };
  const stateOf = (): string =>
    [cert, key]
      .map((path) => statSync(path))
      .map(({ ino, mtimeMs, size }) => `${ino} ${mtimeMs} ${size}`)
      .join();
  let state = stateOf();
  let known = read();
  let fails = false;

  const look = (): void => {
    try {
      const found = stateOf();
      if (found === state) return;
      known = read();
      state = found;
      fails = false;
      onChange(known.pair);
      onInfo('TLS_CERT and TLS_KEY were reloaded.', { until: known.leaf.validTo });
    } catch (error) {
      // Reports only the second failure in a row, because one file may just have been replaced before the other.
      if (fails)
        onError('TLS_CERT and TLS_KEY changed but cannot be used. The previous certificate stays in use.', {
          error,
        });
      fails = !fails;
    }
  };
  const looking = setInterval(look, checkEveryMs).unref();

  return {
    context: () => known.context,
    pair: () => known.pair,
    covers: (host) => known.leaf.checkHost(host) !== undefined,
    expiresAt: () => known.leaf.validToDate.getTime(),
    look,
    close: () => clearInterval(looking),
  };
}
