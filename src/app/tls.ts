import { randomUUID } from 'node:crypto';
import type { Server } from 'node:net';
import type { SecureContext } from 'node:tls';
import { createAcmeClient } from '../external/acme/client.ts';
import { type Certificates, createCertificates, type Hosts } from '../external/certificates/certificates.ts';
import { createEncryption } from '../external/certificates/encryption.ts';
import { type CertificateFiles, openCertificateFiles } from '../external/certificates/files.ts';
import { createIssuer, type Pair } from '../external/certificates/issuer.ts';
import type { CertificateCounts } from '../model/certificates.ts';
import { idInProofPath, proofOf } from '../model/domains/visitors-proof.ts';
import type { Storage } from '../model/storage.ts';
import type { Listener } from '../server/listener.ts';
import { listenOn } from '../server/port.ts';
import { createPlainPort } from '../server/tls/plain-port.ts';
import { createTlsPort, type TlsPort } from '../server/tls/tls-port.ts';
import type { Dependencies } from './dependencies.ts';
import type { Origin } from './origin.ts';
import { openSecret } from './secret.ts';
import type { SharedPort } from './worker-peers.ts';

interface TlsPartsGiven {
  readonly storage: Storage;
  readonly listener: Listener;
  readonly hosts: Hosts;
  readonly origin: Origin;
  /** Maximum number of connections per port. */
  readonly maxConnections: number;
}

/** The HTTP and HTTPS ports. */
export interface Tls {
  /** Opens the ports and starts certificate renewal. @throws Error if a port cannot be opened */
  listen(): Promise<void>;
  counts(): CertificateCounts;
}

/**
 * Creates the HTTPS port and everything it needs.
 * @throws Error if TLS_CERT cannot be used
 */
export function openTls(dependencies: Dependencies, given: TlsPartsGiven): Tls {
  const { config, onError, onInfo, opened } = dependencies;
  const { listener, origin, hosts, storage, maxConnections } = given;
  const onChange = (pair: Pair): void => port.useByDefault(pair);
  const [cert, key] = [config.TLS_CERT, config.TLS_KEY];
  const files =
    cert === null || key === null
      ? undefined
      : openCertificateFiles({ cert, key, onChange, onError, onInfo });
  if (files !== undefined) process.on('SIGHUP', files.check);
  opened.defer(async () => {
    if (files === undefined) return;
    process.off('SIGHUP', files.check);
    files.close();
  });
  // If the operator provides a certificate, clients without SNI get that one instead of the certificate for the first
  // host.
  const onFirst = files === undefined ? onChange : () => {};
  const certificates = config.ACME ? openCertificates(dependencies, given, onFirst) : undefined;
  const port: TlsPort = createTlsPort({
    contextOf: contextsOf(files, certificates),
    challengeOf: async (host) => certificates?.challengeOf(host),
    onConnection: (socket) => void listener.server.emit('connection', socket),
  });
  if (files !== undefined) port.useByDefault(files.pair());
  port.server.maxConnections = maxConnections;
  listener.addPort(port);
  const plain =
    config.HTTP_PORT === null
      ? undefined
      : createPlainPort({
          proofOf: async (host, token) => certificates?.proofOf(host, token),
          domainProofOf: (host, path) => domainProof(storage, host, path),
          isOurs: hosts.has,
          origin: origin.baseUrl,
        });
  opened.defer(() => closed(plain));
  return {
    async listen() {
      await open(dependencies, 'HTTPS_PORT', port.server);
      if (plain !== undefined) {
        plain.maxConnections = maxConnections;
        await open(dependencies, 'HTTP_PORT', plain);
      }
      // Certificates are ordered only after the ports are open, because the CA may connect as soon as an order is
      // placed.
      certificates?.start();
    },
    counts: () => countsOf(certificates?.counts(), files?.expiresAt()),
  };
}

/**
 * Returns the certificate counts, including the operator's own certificate.
 * @param ofFile expiry of the operator's own certificate; undefined if there is none
 */
function countsOf(counts?: CertificateCounts, ofFile?: number): CertificateCounts {
  const { held, failing, waiting, firstExpiresAt = null } = counts ?? { held: 0, failing: 0, waiting: 0 };
  const ends = [firstExpiresAt, ofFile].filter((end) => end != null);
  return {
    held: held + Number(ofFile !== undefined),
    failing,
    waiting,
    firstExpiresAt: ends.length === 0 ? null : Math.min(...ends),
  };
}

async function domainProof(
  storage: Pick<Storage, 'domainToken'>,
  host: string,
  path: string,
): Promise<string | undefined> {
  const id = idInProofPath(path);
  const token = id && (await storage.domainToken(id, host));
  return token === undefined ? undefined : proofOf({ token });
}

function contextsOf(files: CertificateFiles | undefined, certificates: Certificates | undefined) {
  return async (host: string): Promise<SecureContext | undefined> => {
    if (files !== undefined && (certificates === undefined || files.covers(host))) return files.context();
    return certificates?.contextOf(host);
  };
}

function openCertificates(
  { config, now, onError, onInfo, opened, overrides }: Dependencies,
  { storage, hosts }: TlsPartsGiven,
  onFirst: (pair: Pair) => void,
): Certificates {
  const ending = new AbortController();
  const { ACME_DIRECTORY: directory, ACME_EAB_KID: id, ACME_EAB_KEY: key } = config;
  const issuer = createIssuer({
    storage,
    acme: createAcmeClient({ directory, now }),
    directory,
    email: config.ACME_EMAIL ?? undefined,
    external: id === null || key === null ? undefined : { id, key },
    limits: { ofAccount: config.ACME_ACCOUNT_ORDERS, ofAll: config.ACME_ORDERS },
    challenge: config.HTTP_PORT === null ? 'tls-alpn-01' : 'http-01',
    encryption: createEncryption(openSecret(config)),
    process: randomUUID(),
    now,
    onError,
    onInfo,
    signal: ending.signal,
  });
  const intervalMs = overrides.upkeepEveryMs;
  const certificates = createCertificates({ storage, hosts, issuer, now, onError, onFirst, intervalMs });
  opened.defer(async () => {
    ending.abort();
    await certificates.close();
  });
  return certificates;
}

/**
 * Opens the port given in a setting, or listens on the socket that the primary process has already bound for that port.
 */
async function open(
  { config, log, overrides: { peers } }: Dependencies,
  name: SharedPort,
  server: Server,
): Promise<void> {
  const { HTTPS_HOST: host } = config;
  const shared = peers?.sharedPorts.get(name);
  if (peers !== undefined && shared === undefined)
    throw new Error(
      `Could not open ${name}: the primary process started without this setting. Restart the service; a reload is not enough.`,
    );
  const wanted = { port: config[name] ?? 0, host, fd: shared?.fd };
  const port = await listenOn(server, wanted, name === 'HTTPS_PORT' ? 'HTTPS_' : 'HTTP_', 'HTTPS_');
  log.info({ host, port: shared?.port ?? port }, `${name} is open`);
}

function closed(server: (Server & { closeAllConnections(): void }) | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (server?.listening !== true) return resolve();
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
