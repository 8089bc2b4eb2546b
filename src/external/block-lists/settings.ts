import { readHostPattern } from '../../model/links/destinations/destinations.ts';
import { isListAddress } from '../../model/links/destinations/host-lists.ts';
import { fail, list, readableFile, shortened, webAddress } from '../../runtime/setting-values.ts';

/** Parses hosts and host patterns, ignoring comments. @throws Error that names the invalid entry */
export function hostPatterns(text: string): string[] {
  return text
    .split('\n')
    .flatMap((line) => list(line.replace(/#.*/, '')))
    .map(
      (host) =>
        readHostPattern(host) ??
        fail(
          `has "${shortened(host)}", which cannot be a host; write example.com, *.example.com, 192.0.2.1 or [2001:db8::1]`,
        ),
    );
}

/** Parses URLs and paths of readable files. @throws Error that names the invalid entry */
export function blockLists(text: string): string[] {
  return list(text).map((source) => (isListAddress(source) ? listAddress(source) : readableFile(source)));
}

function listAddress(text: string): string {
  const { username, password } = new URL(webAddress(text));
  return username === '' && password === ''
    ? webAddress(text)
    : fail(
        'has an address with a user name or password, which cannot be sent; put what is secret in its query',
      );
}
