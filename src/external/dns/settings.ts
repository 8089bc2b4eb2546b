import { isIP } from 'node:net';
import { fail, list, oneOf, setting, shortened, wholeNumber } from '../../runtime/setting-values.ts';

/**
 * Parses DNS resolver addresses, and adds the default port where it is missing.
 * @throws Error that names the invalid entry
 */
export function dnsServers(text: string): string[] {
  return list(text).map((word) => {
    const [, bracketed, plain, port = '53'] =
      /^(?:\[([\da-f:.]+)\]|([\d.]+))(?::(\d{1,5}))?$/i.exec(word) ?? [];
    const address = bracketed ?? plain ?? word;
    if (isIP(address) === 0 || Number(port) > 65_535)
      fail(`contains "${shortened(word)}", which is not an address such as 9.9.9.9 or [2620:fe::fe]:53`);
    return isIP(address) === 6 ? `[${address}]:${port}` : `${address}:${port}`;
  });
}

/** Settings for domains. */
export const domainSettings = {
  OTHER_HOSTS: setting(
    'Response on hosts that are neither the host of BASE_URL nor a verified domain: refuse returns 421, shared serves the links of the shared domain.',
    'refuse',
    oneOf('refuse', 'shared'),
  ),
  DNS_SERVERS: setting(
    'Addresses of the DNS resolvers for domain verification, separated by commas. Unset: the system’s resolvers.',
    '',
    dnsServers,
  ),
  DOMAIN_LIMIT: setting('Maximum domains per account.', '100', wholeNumber(0, 100_000)),
};
