/** Reasons why a visit is not counted as a click. A reason is stored as its index, so the list is append-only. */
export const uncountedReasons = [
  ...(['deleted', 'expired', 'disabled', 'not-started', 'exhausted'] as const),
  'excluded',
] as const;
type UncountedReason = (typeof uncountedReasons)[number];

/** Reasons for not-found visits: all except `excluded`, because excluded visits are redirected. */
export type MissReason = Exclude<UncountedReason, 'excluded'>;
export const missReasons = uncountedReasons.filter((reason): reason is MissReason => reason !== 'excluded');

/** Retention of not-found visits in UTC days, including the current day. */
export const missedVisitDays = 30;

/** Not-found visits to one link for one reason. */
export interface MissedVisit {
  readonly linkId: string;
  readonly code: string;
  /** Host of the link's domain; null for the shared domain. */
  readonly host: string | null;
  readonly reason: MissReason;
  readonly visits: number;
  /** Last UTC day with a not-found visit, in days since the epoch. */
  readonly lastDay: number;
}

/**
 * A code that never had a link, with its number of visits. The code is in lower case unless its domain is
 * case-sensitive, and prefixed with the host unless the domain is the shared domain.
 */
export type UnknownCode = Pick<MissedVisit, 'code' | 'visits' | 'lastDay'>;

/** Not-found and excluded visits counted by one process, as plain data. */
export interface MissedVisitCounts {
  readonly links: readonly { readonly row: number; readonly reason: number; readonly visits: number }[];
  /** Keys of codes without a live link (deleted or never created). */
  readonly codes: readonly { readonly code: string; readonly visits: number }[];
}

/**
 * Not-found and excluded visits that this process has not stored yet. Contains only codes and links, no data about
 * visitors.
 */
export interface MissedVisits {
  /** @param key `codeKey` of a code */
  unknown(key: string): void;
  link(row: number, reason: Exclude<UncountedReason, 'deleted'>): void;
  readonly isEmpty: boolean;
  /** Returns and resets the counts. */
  take(): MissedVisitCounts;
  /** Restores counts that could not be stored. */
  putBack(counts: MissedVisitCounts): void;
}

/** Maximum number of codes, and of link/reason pairs, that are counted between two writes to storage. */
const maxCounted = 1_000;

export function createMissedVisits(max = maxCounted): MissedVisits {
  const codes = new Map<string, number>();
  const links = new Map<number, number>();
  const reasons = uncountedReasons.length;
  return {
    unknown: (key) => add(codes, key, 1, max),
    link: (row, reason) => add(links, row * reasons + uncountedReasons.indexOf(reason), 1, max),
    get isEmpty() {
      return codes.size === 0 && links.size === 0;
    },
    take() {
      const counts = {
        links: [...links].map(([key, visits]) => ({
          row: Math.floor(key / reasons),
          reason: key % reasons,
          visits,
        })),
        codes: [...codes].map(([code, visits]) => ({ code, visits })),
      };
      links.clear();
      codes.clear();
      return counts;
    },
    putBack(counts) {
      for (const { row, reason, visits } of counts.links) add(links, row * reasons + reason, visits, max);
      for (const { code, visits } of counts.codes) add(codes, code, visits, max);
    },
  };
}

/**
 * Counts visits per name, using at most `max` slots (Misra-Gries). If a new name arrives when all slots are taken,
 * every counted name loses one visit, and names at zero lose their slot. Frequent names survive floods of rare names.
 * Counts can be too low, but never too high. The amortized cost is one addition per visit.
 */
function add<K>(counts: Map<K, number>, name: K, visits: number, max: number): void {
  const before = counts.get(name);
  if (before !== undefined || counts.size < max) {
    counts.set(name, (before ?? 0) + visits);
    return;
  }
  for (const [other, count] of counts) {
    if (count <= 1) counts.delete(other);
    else counts.set(other, count - 1);
  }
}
