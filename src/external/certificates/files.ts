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
  /** Returns the certificate's expiry in ms since the epoch. */
  expiresAt(): number;
  /** Checks immediately whether the files have changed, without waiting for the next interval. */
  check(): void;
  close(): void;
}

const checkEveryMs = 5_000;

interface FilesOptions {
  /** Path of the certificate chain in PEM. `key` is the path of its private key. */
  readonly cert: string;
  readonly key: string;
  /** Called with a changed certificate. */
  readonly onChange: (pair: Pair) => void;
  readonly onError: Report;
  readonly onInfo: Report;
}

/**
 * Reads the certificate and key files, and reads them again when they change, so that a renewed certificate is in use
 * within seconds.
 * @throws Error if the files cannot be read, or do not match
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

  const check = (): void => {
    try {
      const found = stateOf();
      if (found === state) return;
      known = read();
      state = found;
      fails = false;
      onChange(known.pair);
      onInfo('TLS_CERT and TLS_KEY were reloaded.', { until: known.leaf.validTo });
    } catch (error) {
      // Only every second failure in a row is reported, because one file may have been replaced shortly before the
      // other.
      if (fails)
        onError(
          'Could not use the changed TLS_CERT and TLS_KEY. The previous certificate stays in use. Install a matching pair of files.',
          { error },
        );
      fails = !fails;
    }
  };
  const timer = setInterval(check, checkEveryMs).unref();

  return {
    context: () => known.context,
    pair: () => known.pair,
    covers: (host) => known.leaf.checkHost(host) !== undefined,
    expiresAt: () => known.leaf.validToDate.getTime(),
    check,
    close: () => clearInterval(timer),
  };
}
