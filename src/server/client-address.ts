import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { ipv4Of } from '../model/ipv4.ts';
import { isPrivateAddress } from '../model/links/destinations/addresses.ts';
import { createNetworkMatcher } from '../model/networks.ts';
import type { VisitClient } from '../redirect/visit.ts';

/** Trusted senders of `X-Forwarded-For`: a number of proxy hops, or a list of proxy addresses and networks. */
export type ProxyTrust = { readonly hops: number } | { readonly networks: readonly string[] };

/** Parses TRUST_PROXY. @throws Error with a message that describes the expected format */
export function readProxyTrust(text: string): ProxyTrust {
  if (/^\d{1,2}$/.test(text)) return { hops: Number(text) };
  const networks = text.split(/[\s,]+/).filter((word) => word !== '');
  const wrong = networks.length === 0 ? text : networks.find((one) => one !== 'loopback' && !isNetwork(one));
  if (wrong === undefined) return { networks };
  throw new Error(
    `must be a number of proxies, or addresses and networks such as 10.0.0.0/8, 2001:db8::/32; "${wrong}" is invalid`,
  );
}

/** Returns true for an IP address or a network in CIDR notation. */
function isNetwork(text: string): boolean {
  const [, address = '', prefix] = /^([0-9a-fA-F:.]+)(?:\/(0|[1-9]\d{0,2}))?$/.exec(text) ?? [];
  const version = isIP(address);
  return version !== 0 && Number(prefix ?? 0) <= (version === 4 ? 32 : 128);
}

/**
 * Returns the client that sent a request.
 * @param address peer address of the connection
 * @param forwarded `X-Forwarded-For`, if sent
 */
export type ClientOf = (address: string | undefined, forwarded: string | undefined) => VisitClient;

/**
 * Creates the function that determines which client sent a request. Behind trusted proxies, the client's address is
 * the leftmost address in `X-Forwarded-For` that a trusted proxy has added. The client can forge all addresses to the
 * left of it.
 */
export function createClientOf(trust: ProxyTrust): ClientOf {
  const trusts = 'hops' in trust ? hopTrust(trust.hops) : networkTrust(trust.networks);

  return (given, forwarded) => {
    let address = plain(given ?? '');
    const isProxied = trusts(address, 0);
    if (forwarded !== undefined && isProxied) {
      let end = forwarded.length;
      for (let hop = 1; end >= 0 && trusts(address, hop - 1); hop += 1) {
        const comma = end === 0 ? -1 : forwarded.lastIndexOf(',', end - 1);
        const before = plain(forwarded.slice(comma + 1, end));
        if (!isAddress(before)) break;
        address = before;
        end = comma;
      }
    }
    if (!isAddress(address)) return { address: '', network: '', isExempt: true, isProxied };
    return { address, network: network(address), isExempt: isPrivateAddress(address), isProxied };
  };
}

/** Creates the function that returns the network to rate-limit for a request; undefined for an exempt client. */
export function createAddressOf(
  clientOf: ClientOf,
): (request: Pick<IncomingMessage, 'headers' | 'socket'>) => string | undefined {
  return ({ socket, headers }) => {
    const client = clientOf(socket.remoteAddress, headers['x-forwarded-for']?.toString());
    return client.isExempt ? undefined : client.network;
  };
}

type Trusts = (address: string, hop: number) => boolean;

function hopTrust(hops: number): Trusts {
  return (_address, hop) => hop < hops;
}

function networkTrust(networks: readonly string[]): Trusts {
  return createNetworkMatcher(
    networks.flatMap((one) => (one === 'loopback' ? ['127.0.0.0/8', '::1'] : [one])),
  );
}

function isAddress(text: string): boolean {
  return ipv4Of(text) >= 0 || isIP(text) !== 0;
}

/** Removes the port, brackets, zone ID and `::ffff:` prefix from an address. */
function plain(text: string): string {
  const given = text.trim();
  if (ipv4Of(given) >= 0) return given;
  const trimmed = given.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '');
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(trimmed)?.[1];
  return bracketed ?? trimmed.replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1');
}

/**
 * Returns the /64 network of an IPv6 address, because each subscriber has a whole /64. Returns other addresses
 * unchanged.
 */
function network(address: string): string {
  if (!address.includes(':')) return address;
  const [head = '', tail = ''] = address.toLowerCase().split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === '' ? [] : tail.split(':');
  const zeros = address.includes('::')
    ? Array.from({ length: 8 - left.length - right.length }, () => '0')
    : [];
  return `${[...left, ...zeros, ...right].slice(0, 4).join(':')}::/64`;
}
