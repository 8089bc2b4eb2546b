import { type KeyObject, verify } from 'node:crypto';
import { Readable } from 'node:stream';

/** A release for this platform, from the signed list of releases. */
export interface Release {
  readonly version: string;
  readonly url: string;
  /** SHA-256 digest of the file in hex. */
  readonly digest: string;
}

/** Thrown if no upgrade is possible. The message explains the reason to the operator. */
export class NoUpgrade extends Error {
  override readonly name = 'NoUpgrade';
  /** True if the release folder was unreachable or returned an error status, which may be temporary. */
  readonly isAway: boolean;

  constructor(message: string, isAway = false) {
    super(message);
    this.isAway = isAway;
  }
}

const listName = 'SHA256SUMS';
const signatureBytes = 64;
const maxListBytes = 64 * 1_024;
const maxListMs = 30_000;

/**
 * Reads the list of releases and finds the file for a platform.
 * @param folder URL that ends with a slash
 * @param key public key that must have signed the list
 * @returns the newest release for the platform
 * @throws NoUpgrade if the folder cannot be reached, the signature is invalid, or the list has no file for the platform
 */
export async function findRelease(folder: string, key: KeyObject, platform: string): Promise<Release> {
  const signal = AbortSignal.timeout(maxListMs);
  const list = await readAll(new URL(listName, folder), maxListBytes, signal);
  const signature = await readAll(new URL(`${listName}.sig`, folder), signatureBytes, signal);
  if (signature.length !== signatureBytes || !verify(null, list, key, signature))
    throw new NoUpgrade(
      `${folder}${listName} is not signed by UPGRADE_KEY. Nothing was changed; do not trust these files.`,
    );
  const releases = list
    .toString('utf8')
    .split('\n')
    .flatMap((line) => releaseIn(line, folder, platform));
  const [newest] = releases.sort((one, other) => (isNewer(other.version, one.version) ? 1 : -1));
  if (newest === undefined) throw new NoUpgrade(`${folder} has no file for ${platform}.`);
  return newest;
}

function releaseIn(line: string, folder: string, platform: string): Release[] {
  const [, digest, name, version, ofPlatform] =
    /^([\da-f]{64}) [ *](linkfold-(\d{1,6}\.\d{1,6}\.\d{1,6})-([a-z\d]+-[a-z\d]+)\.zst)$/.exec(line) ?? [];
  if (digest === undefined || name === undefined || version === undefined || ofPlatform !== platform)
    return [];
  return [{ version, digest, url: new URL(name, folder).href }];
}

/** Returns true if a version such as `1.2.3` is newer than another one. */
export function isNewer(version: string, than: string): boolean {
  const [mine, others] = [version, than].map((one) => one.split('.').map(Number)) as [number[], number[]];
  const at = mine.findIndex((number, place) => number !== others[place]);
  return at >= 0 && Number(mine[at]) > Number(others[at]);
}

async function readAll(url: URL, most: number, signal: AbortSignal): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of await open(url.href, signal)) {
    bytes += chunk.length;
    if (bytes > most) throw new NoUpgrade(`${url.href} is longer than ${most} bytes. Nothing was changed.`);
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}

/**
 * Requests a URL.
 * @returns the response body, which must be read before the signal aborts
 * @throws NoUpgrade if there is no response, or the URL is not https
 */
export async function open(url: string, signal: AbortSignal): Promise<Readable> {
  const answer = await fetch(url, { signal }).catch((error: Error) => {
    throw unreachable(url, error);
  });
  if (!answer.ok || answer.body === null)
    throw new NoUpgrade(`${url} returned status ${answer.status}. Nothing was changed.`, true);
  if (!answer.url.startsWith('https:'))
    throw new NoUpgrade(`${url} redirects to a URL that is not https. Nothing was changed.`);
  return Readable.fromWeb(answer.body);
}

/** Returns the error for a failed request or a lost connection. */
export function unreachable(url: string, error: Error): NoUpgrade {
  const { code = error.message } = (error.cause ?? error) as NodeJS.ErrnoException;
  const reason = error.name === 'TimeoutError' ? 'timed out' : `could not be read (${code})`;
  return new NoUpgrade(`${url} ${reason}. Nothing was changed.`, true);
}
