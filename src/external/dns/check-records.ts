import { promises } from 'node:dns';
import { isIP } from 'node:net';
import type { DomainRecord, RecordCheck } from '../../model/domains/records.ts';
import { isSpecialAddress } from '../../model/links/destinations/addresses.ts';

export interface RecordCheckOptions {
  /** Addresses of resolvers, with a port if it is not 53. Empty to use the system's resolvers. */
  readonly servers: readonly string[];
  /** Port of the authoritative name servers, for tests. `mayAsk` returns true if a server may be queried. */
  readonly authorityPort?: number;
  readonly mayAsk?: (address: string) => boolean;
  readonly timeoutMs?: number;
}

const tries = 2;
/** Maximum number of authoritative name servers queried per zone. */
const maxAuthorities = 3;
/** Maximum duration of a check, as a multiple of the time for all tries at one server. */
const maxTimeouts = 4;

/** Error codes for a record that does not exist. */
const absence: ReadonlySet<string> = new Set(['ENOTFOUND', 'ENODATA']);

/**
 * Creates a check that queries DNS records at the zone's authoritative name servers, so that users do not wait for a
 * resolver's cache, and a poisoned cache is not trusted. If the name servers cannot be queried, the check uses the
 * resolvers' results.
 */
export function createRecordChecker(
  options: RecordCheckOptions,
): (records: readonly DomainRecord[]) => Promise<readonly RecordCheck[]> {
  const { servers, authorityPort = 53, timeoutMs = 2_000 } = options;
  const { mayAsk = (address: string) => !isSpecialAddress(address) } = options;

  const open = (addresses: readonly string[]): promises.Resolver => {
    const resolver = new promises.Resolver({ timeout: timeoutMs, tries });
    if (addresses.length > 0) resolver.setServers(addresses);
    return resolver;
  };

  /**
   * Returns true if a server is authoritative for a zone. A server that is listed by mistake knows none of the zone's
   * records, so its results must not be used.
   */
  const answersFor = async (zone: string, server: string): Promise<boolean> => {
    const asked = open([server]);
    try {
      return (await asked.resolveSoa(zone)) !== undefined;
    } catch {
      return false;
    } finally {
      asked.cancel();
    }
  };

  /** Returns a resolver that queries the zone's own servers, or undefined if these servers cannot be determined. */
  const authorityOf = async (
    resolver: promises.Resolver,
    name: string,
  ): Promise<promises.Resolver | undefined> => {
    const labels = name.split('.');
    for (let at = 0; at < labels.length - 1; at += 1) {
      const zone = labels.slice(at).join('.');
      const names = await unlessAbsent(resolver.resolveNs(zone));
      // If the name has a CNAME, the resolver returns the target's name servers. They are not authoritative for this
      // zone.
      if (names.length === 0 || (await unlessAbsent(resolver.resolveCname(zone))).length > 0) continue;
      const found = await Promise.all(
        names.slice(0, maxAuthorities).map((one) => addressesOf(resolver, one)),
      );
      const servers = found.flat().filter(mayAsk).slice(0, maxAuthorities).map(withPort);
      const answering = await Promise.all(servers.map((server) => answersFor(zone, server)));
      const good = servers.filter((_, index) => answering[index]);
      return good.length === 0 ? undefined : open(good);
    }
    return undefined;
  };
  const withPort = (address: string): string =>
    `${isIP(address) === 6 ? `[${address}]` : address}:${authorityPort}`;

  const checkOne = async (resolver: promises.Resolver, record: DomainRecord): Promise<RecordCheck> => {
    const authority = await authorityOf(resolver, record.name).catch(() => undefined);
    try {
      if (authority === undefined) return await read(resolver, resolver, record);
      try {
        // If the name has a CNAME, it may point to another zone. This zone's name servers are not authoritative for
        // that zone, so the resolver is queried instead.
        const isElsewhere =
          record.type === 'TXT' && (await unlessAbsent(authority.resolveCname(record.name))).length > 0;
        return await read(isElsewhere ? resolver : authority, resolver, record);
      } catch (error) {
        return await read(resolver, resolver, record).catch(() => Promise.reject(error));
      }
    } finally {
      authority?.cancel();
    }
  };

  return (records) =>
    Promise.all(
      records.map(async (record) => {
        const resolver = open(servers);
        const isLate = Promise.withResolvers<RecordCheck>();
        const timer = setTimeout(() => isLate.resolve(faulty('ETIMEOUT')), maxTimeouts * tries * timeoutMs);
        try {
          return await Promise.race([checkOne(resolver, record), isLate.promise]);
        } catch (error) {
          return faulty(codeOf(error));
        } finally {
          clearTimeout(timer);
          resolver.cancel();
        }
      }),
    );
}

function faulty(fault: string): RecordCheck {
  return { isRight: false, others: [], fault };
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'fault';
}

/**
 * Reads a record and compares it with the expected value.
 * @param asked resolver for the record itself
 * @param resolver resolver for addresses
 */
async function read(
  asked: promises.Resolver,
  resolver: promises.Resolver,
  { type, name, value }: DomainRecord,
): Promise<RecordCheck> {
  if (type === 'TXT') {
    const texts = (await unlessAbsent(asked.resolveTxt(name))).map((chunks) => chunks.join(''));
    return { isRight: texts.includes(value), others: texts.filter((text) => text !== value) };
  }
  const names = (await unlessAbsent(asked.resolveCname(name))).map((one) =>
    one.toLowerCase().replace(/\.$/, ''),
  );
  if (names.includes(value)) return { isRight: true, others: [] };
  // Addresses equal to ours are accepted too, because the apex of a zone cannot have a CNAME.
  const [here, ours] = await Promise.all([
    addressesOf(names.length > 0 ? resolver : asked, name),
    addressesOf(resolver, value),
  ]);
  if (here.some((address) => ours.includes(address))) return { isRight: true, others: [] };
  return { isRight: false, others: [...names, ...here] };
}

async function addressesOf(resolver: promises.Resolver, name: string): Promise<string[]> {
  if (isIP(name) !== 0) return [name];
  const both = await Promise.all([
    unlessAbsent(resolver.resolve4(name)),
    unlessAbsent(resolver.resolve6(name)),
  ]);
  return both.flat();
}

/** Returns the result of a query, or an empty list if the record does not exist. */
async function unlessAbsent<T>(answer: Promise<readonly T[]>): Promise<readonly T[]> {
  try {
    return await answer;
  } catch (error) {
    if (absence.has(codeOf(error))) return [];
    throw error;
  }
}
