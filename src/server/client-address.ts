import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, isIPv6 } from 'node:net';
import { isPrivateAddress } from '../domain/addresses.ts';

/** Which proxies may state the visitor's address: none, a number of hops, or those at given addresses and networks. */
export type ProxyTrust = { readonly hops: number } | { readonly networks: readonly string[] };

/** Reads TRUST_PROXY. @throws Error with a clause that says what it must be */
export function readProxyTrust(text: string): ProxyTrust {
  if (/^\d{1,2}$/.test(text)) return { hops: Number(text) };
  const networks = text.split(/[\s,]+/).filter((word) => word !== '');
  const wrong = networks.length === 0 ? text : networks.find((one) => one !== 'loopback' && !isNetwork(one));
  if (wrong === undefined) return { networks };
  throw new Error(
    `must be a number of proxies, or addresses and networks such as 10.0.0.0/8, 2001:db8::/32; "${wrong}" is none of them`,
  );
}

/** Whether it is an address, or one with the length of a prefix. */
function isNetwork(text: string): boolean {
  const [, address = '', prefix] = /^([0-9a-fA-F:.]+)(?:\/(0|[1-9]\d{0,2}))?$/.exec(text) ?? [];
  const version = isIP(address);
  return version !== 0 && Number(prefix ?? 0) <= (version === 4 ? 32 : 128);
}

/**
 * Finds the network a request comes from, for limits only; it is written nowhere. Behind trusted proxies it is the
 * last address in `X-Forwarded-For` that a trusted proxy has added; a client can invent everything left of it.
 * @returns an IPv4 address or IPv6 /64 network; undefined for loopback and private ones, which have no limits
 *   (CONTRACT §7)
 */
export function createAddressOf(
  trust: ProxyTrust,
): (request: Pick<IncomingMessage, 'headers' | 'socket'>) => string | undefined {
  const trusts = 'hops' in trust ? hopTrust(trust.hops) : networkTrust(trust.networks);

  return function addressOf(request): string | undefined {
    let address = plain(request.socket.remoteAddress ?? '');
    const forwarded = request.headers['x-forwarded-for'];
    if (forwarded !== undefined && trusts(address, 0)) {
      const chain = String(forwarded).split(',').map(plain);
      for (let hop = 1; chain.length > 0 && trusts(address, hop - 1); hop += 1) {
        const before = chain.pop() ?? '';
        if (isIP(before) === 0) break;
        address = before;
      }
    }
    return isPrivateAddress(address) || isIP(address) === 0 ? undefined : network(address);
  };
}

type Trusts = (address: string, hop: number) => boolean;

function hopTrust(hops: number): Trusts {
  return (_address, hop) => hop < hops;
}

function networkTrust(networks: readonly string[]): Trusts {
  const list = new BlockList();
  for (const entry of networks.flatMap((one) => (one === 'loopback' ? ['127.0.0.0/8', '::1'] : [one]))) {
    const [address = '', prefix] = entry.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    if (prefix === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(prefix), family);
  }
  return (address) => isIP(address) !== 0 && list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}

/** Without port, brackets, zone and the IPv4-in-IPv6 prefix. */
function plain(text: string): string {
  const trimmed = text
    .trim()
    .replace(/^::ffff:(?=\d+\.)/i, '')
    .replace(/%.*$/, '');
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(trimmed)?.[1];
  return bracketed ?? trimmed.replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1');
}

/** One subscriber has a whole IPv6 /64, so that is what is counted. */
function network(address: string): string {
  if (!isIPv6(address)) return address;
  const [head = '', tail = ''] = address.toLowerCase().split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === '' ? [] : tail.split(':');
  const zeros = address.includes('::')
    ? Array.from({ length: 8 - left.length - right.length }, () => '0')
    : [];
  return `${[...left, ...zeros, ...right].slice(0, 4).join(':')}::/64`;
}
