import { constants, randomBytes } from 'node:crypto';
import type { Server, Socket } from 'node:net';
import { createServer, type SecureContext, type TLSSocket } from 'node:tls';

export interface TlsPortOptions {
  /** Returns the certificate for a host; undefined to reject the handshake. @param host SNI host name in lower case */
  readonly contextOf: (host: string) => Promise<SecureContext | undefined>;
  /** Returns the certificate for a TLS-ALPN-01 challenge. */
  readonly challengeOf: (host: string) => Promise<SecureContext | undefined>;
  /** Receives a connection that carries HTTP. */
  readonly onConnection: (socket: TLSSocket) => void;
}

/** A certificate and its private key, in PEM. */
interface Pair {
  readonly cert: string | Buffer;
  readonly key: string | Buffer;
}

export interface TlsPort {
  readonly server: Server;
  /** Sets the certificate for clients without SNI. */
  useByDefault(pair: Pair): void;
  /** Closes connections whose TLS handshake was already in progress at the previous call. */
  endIdle(): void;
}

/** Cipher suites for TLS 1.3, and the TLS 1.2 suites with forward secrecy and authenticated encryption. */
const ciphers = [
  ...['TLS_AES_128_GCM_SHA256', 'TLS_AES_256_GCM_SHA384', 'TLS_CHACHA20_POLY1305_SHA256'],
  ...['ECDHE-ECDSA-AES128-GCM-SHA256', 'ECDHE-RSA-AES128-GCM-SHA256'],
  ...['ECDHE-ECDSA-AES256-GCM-SHA384', 'ECDHE-RSA-AES256-GCM-SHA384'],
  ...['ECDHE-ECDSA-CHACHA20-POLY1305', 'ECDHE-RSA-CHACHA20-POLY1305'],
].join(':');
const challengeProtocol = 'acme-tls/1';
const httpProtocols = ['http/1.1', 'http/1.0'];
/**
 * Handshake timeout in milliseconds. The first handshake for a host waits until the certificate is issued, which takes
 * less time than this.
 */
const handshakeTimeout = 15_000;
/** Ticket keys are replaced after this many milliseconds. A leaked key would decrypt recorded TLS 1.2 connections. */
const newTicketKeysMs = 6 * 3_600_000;
const ticketKeyBytes = 48;
const ticketSeconds = 6 * 3_600;

const protocol = {
  ciphers,
  minVersion: 'TLSv1.2',
  // Renegotiation (TLS 1.2) costs the server far more than the client, so it could be used for denial of service.
  secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
  sessionTimeout: ticketSeconds,
} as const;

/** Creates the HTTPS port, which terminates TLS and passes connections on as if they were plain. */
export function createTlsPort({ contextOf, challengeOf, onConnection }: TlsPortOptions): TlsPort {
  /**
   * Connections for TLS-ALPN-01 challenges. TLS 1.3, which validators use, negotiates ALPN first, so `SNICallback` can
   * detect these connections.
   */
  const challenged = new WeakSet<TLSSocket>();
  /** Connections whose handshake is not finished. */
  const handshaking = new Map<string, Socket>();
  let late: readonly string[] = [];
  let ticketKeys = randomBytes(ticketKeyBytes);
  const server = createServer(
    {
      ...protocol,
      ticketKeys,
      handshakeTimeout,
      noDelay: true,
      ALPNCallback(this: TLSSocket, { protocols }) {
        if (protocols.includes(challengeProtocol)) {
          challenged.add(this);
          return challengeProtocol;
        }
        return protocols.find((one) => httpProtocols.includes(one));
      },
      SNICallback(this: TLSSocket, name, answer) {
        const found = (challenged.has(this) ? challengeOf : contextOf)(name.toLowerCase());
        found.then(
          (context) => (context === undefined ? answer(new NoCertificate()) : answer(null, context)),
          (error: Error) => answer(error),
        );
      },
    },
    (socket) => {
      handshaking.delete(nameOf(socket));
      if (socket.alpnProtocol === challengeProtocol) socket.end();
      else onConnection(socket);
    },
  );
  server.on('connection', (socket: Socket) => {
    const name = nameOf(socket);
    handshaking.set(name, socket);
    socket.once('close', () => handshaking.delete(name));
  });
  const renewing = setInterval(() => {
    ticketKeys = randomBytes(ticketKeyBytes);
    server.setTicketKeys(ticketKeys);
  }, newTicketKeysMs).unref();
  server.once('close', () => clearInterval(renewing));
  return {
    server,
    useByDefault: (pair) => server.setSecureContext({ ...protocol, ...pair, ticketKeys }),
    endIdle() {
      for (const name of late) handshaking.get(name)?.destroy();
      late = [...handshaking.keys()];
    },
  };
}

/** Returns a key for a connection. The key is the same for the raw socket and the TLS socket. */
function nameOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}

class NoCertificate extends Error {}
