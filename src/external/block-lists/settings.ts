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
          `contains "${shortened(host)}", which is not a host such as example.com, *.example.com, 192.0.2.1 or [2001:db8::1]`,
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
    : fail('contains a URL with a username or password, which is not supported; put the secret in its query');
}
