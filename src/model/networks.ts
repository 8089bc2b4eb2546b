import { BlockList, isIP, isIPv6 } from 'node:net';

/** Prefix length in bits of IPv4-mapped IPv6 addresses (RFC 4291, section 2.5.5.2). */
const mappedPrefix = 96;

/**
 * Returns a function that tests whether one of the networks contains an address.
 * @param networks IP addresses and networks in CIDR notation
 */
export function createNetworkMatcher(networks: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  // A `BlockList` applies an IPv6 network that contains `::ffff:0:0/96`, such as `::/1`, to all IPv4 addresses too.
  // Such a network therefore goes into a separate list, which is checked only for IPv6 addresses.
  const ipv6Only = new BlockList();
  for (const entry of networks) {
    const [address = '', prefix] = entry.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    const bits = Number(prefix);
    if (prefix === undefined) list.addAddress(address, family);
    else if (family === 'ipv6' && bits < mappedPrefix) ipv6Only.addSubnet(address, bits, family);
    else list.addSubnet(address, bits, family);
  }
  return (address) => {
    if (isIPv6(address)) return list.check(address, 'ipv6') || ipv6Only.check(address, 'ipv6');
    return isIP(address) !== 0 && list.check(address, 'ipv4');
  };
}
