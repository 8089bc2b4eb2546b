import { lookup as systemLookup } from 'node:dns';
import type { AgentOptions, ClientRequestArgs } from 'node:http';
import { connect, isIP, type LookupFunction } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as secured } from 'node:tls';
import { Agent } from '../../runtime/node-http.ts';
import type { Allowed } from './allowed.ts';
import { OutboundFailure } from './failure.ts';

/** Target of a connection, as a request passes it to its agent. */
export interface ConnectionTarget {
  /** A host name, or an address without brackets. */
  readonly host: string;
  readonly port: number;
  readonly isSecure: boolean;
}

export interface ConnectionOptions {
  readonly allowed: Allowed;
  /** Timeout in ms for DNS, connection and TLS together. */
  readonly connectMs: number;
  readonly lookup?: LookupFunction | undefined;
}

/**
 * Agent that opens connections to allowed addresses only. It connects to the exact address that was checked, even if
 * the DNS records change (DNS rebinding). Node's own `blockList` option is not enough, because the TLS module silently
 * ignores it.
 */
export class GuardedAgent extends Agent {
  readonly #options: ConnectionOptions;

  constructor(options: ConnectionOptions, pool: AgentOptions) {
    super(pool);
    this.#options = options;
  }

  /** Returns the pool key for a connection. The agent reuses a connection only for requests with the same key. */
  override getName(options: ClientRequestArgs & Partial<ConnectionTarget>): string {
    return `${super.getName(options)}:${options.isSecure}`;
  }

  override createConnection(
    options: ClientRequestArgs,
    answer?: (error: Error | null, socket: Duplex) => void,
  ): undefined {
    const place = options as ClientRequestArgs & ConnectionTarget;
    const done = (error: Error | null, opened?: Duplex): void => answer?.(error, opened as Duplex);
    const { allowed, connectMs, lookup = systemLookup } = this.#options;
    const forbidden = new OutboundFailure(
      'forbidden',
      `${place.host} has a non-public address; to allow requests to this host, add it to OUTBOUND_ALLOW`,
    );
    const trusted = allowed.host(place.host);
    const isHostAllowed = (address: string): boolean => trusted || allowed.address(address);
    // Node does not call `lookup` for an IP address, so `guarded` below would not check it.
    if (isIP(place.host) !== 0 && !isHostAllowed(place.host)) return void done(forbidden);

    const guarded: LookupFunction = (name, asked, found) => {
      lookup(name, { ...asked, all: true }, (error, addresses) => {
        if (error) return found(error, []);
        const list = Array.isArray(addresses) ? addresses : [{ address: addresses, family: isIP(addresses) }];
        const good = list.filter(({ address }) => isHostAllowed(address));
        if (good.length === 0)
          return found(list.length === 0 ? new Error('the host has no address') : forbidden, []);
        if (asked.all) found(null, good);
        else found(null, good[0]?.address ?? '', good[0]?.family);
      });
    };
    const raw = connect({ host: place.host, port: place.port, lookup: guarded });
    const servername = isIP(place.host) === 0 ? place.host : '';
    const socket = place.isSecure ? secured({ socket: raw, host: place.host, servername }) : raw;
    const late = new OutboundFailure('timeout', `could not connect to ${place.host} within ${connectMs} ms`);
    const timer = setTimeout(() => end(late), connectMs);
    // `end` is called again for errors after the connection is open. The agent ignores every callback but the first;
    // the request receives such errors from the socket.
    const end = (error?: Error): void => {
      clearTimeout(timer);
      if (error === undefined) return done(null, socket);
      socket.destroy();
      raw.destroy();
      done(error);
    };
    raw.on('error', end);
    if (socket !== raw) socket.on('error', end);
    socket.once(place.isSecure ? 'secureConnect' : 'connect', () => end());
  }
}
