/** Why a visit of a link led nowhere. Stored by their places here: append only. */
export const missReasons = ['deleted', 'expired', 'disabled', 'not-started', 'exhausted'] as const;
export type MissReason = (typeof missReasons)[number];

/** For how many UTC days missed visits are kept, today included. */
export const missedVisitDays = 30;

/** Visits that led nowhere, of one link for one reason. */
export interface MissedVisit {
  readonly linkId: string;
  readonly code: string;
  /** Of its domain; null for the shared one. */
  readonly host: string | null;
  readonly reason: MissReason;
  readonly visits: number;
  /** The last UTC day with such a visit, since the epoch. */
  readonly lastDay: number;
}

/** A code that never had a link, folded unless its domain has exact ones and with the host of its domain unless that is the shared one, and how often visitors asked for it. */
export type UnknownCode = Pick<MissedVisit, 'code' | 'visits' | 'lastDay'>;

/** What a process counted: plain data. */
export interface MissedVisitCounts {
  readonly links: readonly { readonly row: number; readonly reason: number; readonly visits: number }[];
  /** Of codes that have no live link, by their keys: deleted ones, or none ever. */
  readonly codes: readonly { readonly code: string; readonly visits: number }[];
}

/** Missed visits of this process that are not stored yet. No more than codes and links: nothing of a visitor. */
export interface MissedVisits {
  /** @param key `codeKey` of a code */
  unknown(key: string): void;
  link(row: number, reason: Exclude<MissReason, 'deleted'>): void;
  readonly isEmpty: boolean;
  /** Hands over what was counted and begins anew. */
  take(): MissedVisitCounts;
  /** Takes back what could not be stored. */
  putBack(counts: MissedVisitCounts): void;
}

/** Codes, and links by reason, that a process counts between two rounds. */
const maxCounted = 1_000;

export function createMissedVisits(max = maxCounted): MissedVisits {
  const codes = new Map<string, number>();
  const links = new Map<number, number>();
  const reasons = missReasons.length;
  return {
    unknown: (key) => add(codes, key, 1, max),
    link: (row, reason) => add(links, row * reasons + missReasons.indexOf(reason), 1, max),
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
 * Counts a name among at most `max` (Misra-Gries): when all places are taken, each name loses one visit, and those
 * without any their places. So a name that is asked for often stays, however many are asked for once; its figure is at most
 * too low. A visit pays for the one that it takes away later: on average this costs an addition.
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
