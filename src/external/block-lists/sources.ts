import { hash } from 'node:crypto';
import { createReadStream, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import {
  digestOfHost,
  type HostDigests,
  hostsInLine,
  isListAddress,
} from '../../model/links/destinations/host-lists.ts';
import { makeFolder } from '../../runtime/files/make-folder.ts';
import { replaceFile } from '../../runtime/files/replace-file.ts';

/** A block list as read from its source. */
export interface LoadedList {
  readonly digests: HostDigests;
  /** Number of lines that contain no host. */
  readonly unread: number;
}

const maxDownloadMs = 60_000;
/** Maximum number of hosts, which take 24 MB of memory. Public lists are much shorter. */
const maxHosts = 3_000_000;
const maxBytes = 128 * 1024 * 1024;

/**
 * Reads a file or downloads a URL. This takes about a second for a million hosts, so it runs in a separate thread.
 * @throws Error whose message does not contain the source's query, which may be secret
 */
export async function readList(source: string): Promise<LoadedList> {
  const { digests, unread } = await readLines(
    isListAddress(source) ? await download(source) : createReadStream(source),
  );
  if (digests.size === 0)
    throw new Error(`contains no hosts, only ${unread.toLocaleString('en')} invalid lines`);
  return { digests: BigUint64Array.from(digests).sort(), unread };
}

async function download(address: string): Promise<Readable> {
  const answer = await fetch(address, {
    signal: AbortSignal.timeout(maxDownloadMs),
    headers: { accept: 'text/plain, */*;q=0.5' },
  });
  if (!answer.ok || answer.body === null) throw new Error(`returned status ${answer.status}`);
  return Readable.fromWeb(answer.body);
}

async function readLines(input: Readable): Promise<{ digests: Set<bigint>; unread: number }> {
  const digests = new Set<bigint>();
  let unread = 0;
  let bytes = 0;
  const stop = (reason: string) => input.destroy(new Error(reason));
  input.on('data', (chunk: Buffer | string) => {
    bytes += chunk.length;
    if (bytes > maxBytes) stop(`is larger than ${maxBytes / 1024 / 1024} MB`);
  });
  const failed = new Promise<never>((_, reject) => input.once('error', reject));
  failed.catch(() => {});
  const lines = async (): Promise<void> => {
    for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
      const hosts = hostsInLine(line);
      if (hosts === undefined) unread += 1;
      for (const host of hosts ?? []) digests.add(digestOfHost(host));
      if (digests.size > maxHosts) stop(`has more than ${maxHosts.toLocaleString('en')} hosts`);
    }
    // If the stream fails, the loop over the lines ends without an error, so the stream's error is thrown here.
    if (input.errored) throw input.errored;
  };
  await Promise.race([lines(), failed]);
  return { digests, unread };
}

/** Returns the path of a downloaded list's copy, which makes restarts independent of the URL. */
function copyOf(folder: string, source: string): string {
  return join(folder, `${hash('sha256', source).slice(0, 32)}.hosts`);
}

/**
 * Saves a copy of a list.
 * @throws the system error, in which case an earlier copy stays unchanged
 */
export function saveCopy(folder: string, source: string, { digests }: LoadedList): void {
  makeFolder(folder, 0o700);
  replaceFile(copyOf(folder, source), new Uint8Array(digests.buffer));
}

/** Reads a list's copy. @returns undefined if there is no copy, or it is damaged */
export function readCopy(folder: string, source: string): LoadedList | undefined {
  let bytes: Buffer;
  try {
    bytes = readFileSync(copyOf(folder, source));
  } catch {
    return undefined;
  }
  if (bytes.length === 0 || bytes.length % 8 !== 0) return undefined;
  const digests = new BigUint64Array(bytes.length / 8);
  new Uint8Array(digests.buffer).set(bytes);
  return { digests, unread: 0 };
}
