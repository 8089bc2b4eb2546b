import { isIP } from 'node:net';
import { fail, list, oneOf, setting, shortened, wholeNumber } from '../runtime/setting-values.ts';

/** Parses addresses of resolvers, each with its port. @throws Error that names the invalid entry */
export function dnsServers(text: string): string[] {
  return list(text).map((word) => {
    const [, bracketed, plain, port = '53'] =
      /^(?:\[([\da-f:.]+)\]|([\d.]+))(?::(\d{1,5}))?$/i.exec(word) ?? [];
    const address = bracketed ?? plain ?? word;
    if (isIP(address) === 0 || Number(port) > 65_535)
      fail(`has "${shortened(word)}"; give addresses such as 9.9.9.9 or [2620:fe::fe]:53`);
    return isIP(address) === 6 ? `[${address}]:${port}` : `${address}:${port}`;
  });
}

/** Settings of domains. */
export const domainSettings = {
  OTHER_HOSTS: setting(
    'What visitors get at host names that are neither BASE_URL’s nor a proven domain: refuse answers 421, shared the links of the shared domain.',
    'refuse',
    oneOf('refuse', 'shared'),
  ),
  DNS_SERVERS: setting(
    'Addresses of the resolvers that look up the records of domains, separated by commas. Unset: those of the system.',
    '',
    dnsServers,
  ),
  DOMAIN_LIMIT: setting('Most domains of an account.', '100', wholeNumber(0, 100_000)),
};
