import type { NewKey } from '../model/accounts/keys.ts';
import { digestOf, generateKey } from '../model/accounts/keys.ts';
import { dayOf } from '../model/clicks/click-days.ts';
import { unknownFacts } from '../model/clicks/click-facts.ts';
import {
  type ClickRecords,
  clickLayout,
  maxClickBytes,
  ownerBytes,
  writeClick,
  writeOwner,
} from '../model/clicks/click-records.ts';
import type { ImportBatch } from '../model/imports/imports.ts';
import type { Link, NewLink } from '../model/links/link-records.ts';
import type { Storage } from '../model/storage.ts';

/** Returns an id for a number. Ids sort like their numbers, so tests can check the order of a list. */
export function idOf(n: number): string {
  return `01900000-0000-7000-8000-${n.toString(16).padStart(12, '0')}`;
}

/**
 * Returns a batch of import lines: a link, its clicks at one time, and the counter that the source reports.
 * @param name distinguishes the link's key from other keys
 */
export function importBatch(
  link: NewLink,
  at: number,
  {
    clicks = 1,
    name = 7,
    ...more
  }: Partial<Omit<ImportBatch, 'clicks'>> & { clicks?: number; name?: number } = {},
): ImportBatch {
  const hash = new Uint8Array(16).fill(name).toHex();
  const bytes = Buffer.alloc(ownerBytes + maxClickBytes);
  const length = writeClick(bytes, ownerBytes, at, { ...unknownFacts(0), imported: 'visit' }, clicks);
  const ofDay = {
    day: dayOf(at),
    layout: clickLayout,
    clicks,
    owners: Uint32Array.of(0, 0, clicks, 1),
    bytes: new Uint8Array(bytes.subarray(0, length)),
  };
  const links = [
    {
      line: (more.position ?? 0) + 1,
      key: 'k',
      hash,
      link,
      aliases: [],
      recorded: '/',
      mended: [],
      change: {},
    },
  ];
  const rest = {
    refused: [],
    keys: [hash],
    clicks: [ofDay],
    counters: [[0, 3]] as const,
    isEnd: true,
    now: at,
  };
  return { position: 0, lines: 3, links, ...rest, ...more };
}

/** Returns click records for sums. The sums have the format that `applyClicks` takes: link, hour, class, clicks. */
export function recordsOf(account: number, sums: ArrayLike<number>): readonly ClickRecords[] {
  const records: ClickRecords[] = [];
  for (let at = 0; at < sums.length; at += 4) {
    const [row = 0, hour = 0, clickClass = 0, clicks = 0] = Array.from(sums).slice(at, at + 4);
    const bytes = Buffer.alloc(ownerBytes + maxClickBytes);
    writeOwner(bytes, 0, account, row);
    const length = writeClick(bytes, ownerBytes, hour * 3_600_000, unknownFacts(clickClass), clicks);
    records.push({ layout: clickLayout, clicks, bytes: new Uint8Array(bytes.subarray(0, length)) });
  }
  return records;
}

let ids = 0;
export function nextId(): string {
  ids += 1;
  return idOf(ids);
}

/** Returns an id in the format that `rowsOf` takes and returns. */
export function hexOf(id: string): string {
  return id.replaceAll('-', '');
}

/** Returns a new link with defaults and a unique id. */
export function newLink(codes: string | readonly string[], more: Partial<NewLink> = {}): NewLink {
  return {
    id: nextId(),
    codes: typeof codes === 'string' ? [codes] : codes,
    destination: 'https://example.com/',
    location: 'https://example.com/',
    title: null,
    description: null,
    expiresAt: null,
    folderId: null,
    createdAt: 1,
    ...more,
  };
}

/** Creates a link. @returns the stored link without its row */
export async function createAndRead(storage: Storage, accountId: number, given: NewLink): Promise<Link> {
  await storage.createLink(accountId, given);
  const found = await storage.link(accountId, given.id);
  if (found === undefined) throw new Error('Link not found.');
  const { row: _, ...link } = found.link;
  return link;
}

/** Returns a new key in the account `mine`. */
export function newKey(id: string, more: Partial<NewKey> = {}): NewKey {
  return {
    id,
    digest: digestOf(id),
    account: 'mine',
    plan: 'pro',
    scopes: [],
    name: 'test',
    createdAt: 1,
    expiresAt: null,
    ...more,
  };
}

/** Creates a new key. @returns the key's id */
export async function newKeyIn(storage: Storage): Promise<string> {
  const { id } = generateKey((size) => crypto.getRandomValues(new Uint8Array(size)));
  await storage.createKey(newKey(id));
  return id;
}
