import { constants, randomBytes } from 'node:crypto';
import type { Server, Socket } from 'node:net';
import { createServer, type SecureContext, type TLSSocket } from 'node:tls';

export interface TlsPortOptions {
  /** @param host in lower case; of clients that name one @returns undefined to refuse the handshake */
  readonly contextOf: (host: string) => Promise<SecureContext | undefined>;
  /** What proves a host to an authority by TLS-ALPN-01. */
  readonly challengeOf: (host: string) => Promise<SecureContext | undefined>;
  /** Takes a connection on which HTTP is spoken. */
  readonly onConnection: (socket: TLSSocket) => void;
}

/** A certificate and its key, in PEM. */
interface Pair {
  readonly cert: string | Buffer;
  readonly key: string | Buffer;
}

export interface TlsPort {
  readonly server: Server;
  /** Gives clients that name no host this certificate. */
  useByDefault(pair: Pair): void;
  /** Ends connections that have not finished their handshake since the call before. */
  endIdle(): void;
}

/** TLS 1.3's, and of 1.2 those with forward secrecy and authenticated encryption. */
const ciphers = [
  ...['TLS_AES_128_GCM_SHA256', 'TLS_AES_256_GCM_SHA384', 'TLS_CHACHA20_POLY1305_SHA256'],
  ...['ECDHE-ECDSA-AES128-GCM-SHA256', 'ECDHE-RSA-AES128-GCM-SHA256'],
  ...['ECDHE-ECDSA-AES256-GCM-SHA384', 'ECDHE-RSA-AES256-GCM-SHA384'],
  ...['ECDHE-ECDSA-CHACHA20-POLY1305', 'ECDHE-RSA-CHACHA20-POLY1305'],
].join(':');
const challengeProtocol = 'acme-tls/1';
const httpProtocols = ['http/1.1', 'http/1.0'];
/** Longer than the first handshake of a host waits for its certificate, ms. */
const handshakeTimeout = 15_000;
/** The key of tickets opens old connections over TLS 1.2, so none lives long. */
const newTicketKeysMs = 6 * 3_600_000;
const ticketKeyBytes = 48;
const ticketSeconds = 6 * 3_600;

const protocol = {
  ciphers,
  minVersion: 'TLSv1.2',
  // In TLS 1.2 a client that renegotiates costs a server far more than itself.
  secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
  sessionTimeout: ticketSeconds,
} as const;

/** The port for HTTPS: takes TLS off its connections and hands them over as if they were plain. */
export function createTlsPort({ contextOf, challengeOf, onConnection }: TlsPortOptions): TlsPort {
  /** Connections of authorities. Over TLS 1.3 the protocol is chosen before the certificate; authorities speak it. */
  const challenged = new WeakSet<TLSSocket>();
  /** Connections whose handshake is not finished. */
  const shaking = new Map<string, Socket>();
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
      shaking.delete(nameOf(socket));
      if (socket.alpnProtocol === challengeProtocol) socket.end();
      else onConnection(socket);
    },
  );
  server.on('connection', (socket: Socket) => {
    const name = nameOf(socket);
    shaking.set(name, socket);
    socket.once('close', () => shaking.delete(name));
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
      for (const name of late) shaking.get(name)?.destroy();
      late = [...shaking.keys()];
    },
  };
}

/** The same before the handshake and after it. */
function nameOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}

class NoCertificate extends Error {}
