import { BlockList, isIP, isIPv6 } from 'node:net';
import { isSpecialAddress } from '../../model/links/destinations/addresses.ts';
import { coversHostName, readHostPattern } from '../../model/links/destinations/destinations.ts';
import { fail, list, shortened } from '../../runtime/setting-values.ts';

/** Destinations allowed in addition to the public internet. */
export interface Allowed {
  /** Returns true if the operator listed this host. Every address that the host resolves to is then allowed. */
  host(host: string): boolean;
  /** Returns true if connections to an IP address are allowed. */
  address(address: string): boolean;
  /** Returns true if the operator listed this address. */
  namesAddress(address: string): boolean;
}

/**
 * Parses the allow list: addresses, networks such as 10.0.0.0/8, hosts and patterns such as *.internal.
 * @throws Error with a sentence that names the invalid entry
 */
export function readAllowed(text: string): Allowed {
  const networks = new BlockList();
  const hosts: string[] = [];
  for (const word of list(text)) {
    const [address = '', bits, ...more] = word.split('/');
    const plain = address.replace(/^\[(.*)\]$/, '$1');
    const most = isIPv6(plain) ? 128 : 32;
    const host = bits === undefined ? readHostPattern(address) : undefined;
    const size = bits === undefined ? most : /^\d{1,3}$/.test(bits) ? Number(bits) : Number.NaN;
    if (isIP(plain) !== 0 && more.length === 0 && size <= most)
      networks.addSubnet(plain, size, familyOf(plain));
    else if (host !== undefined) hosts.push(host);
    else
      fail(
        `contains "${shortened(word)}", which is not a network, address or host such as 10.0.0.0/8, 192.0.2.1, shlink.internal or *.internal`,
      );
  }
  const namesAddress = (address: string): boolean =>
    isIP(address) !== 0 && networks.check(address, familyOf(address));
  return {
    host: (host) => hosts.some((pattern) => coversHostName(pattern, host)),
    namesAddress,
    address: (address) => isIP(address) !== 0 && (namesAddress(address) || !isSpecialAddress(address)),
  };
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIPv6(address) ? 'ipv6' : 'ipv4';
}
