/** A reader who was away for so long comes back. */
const awayMs = 1_800_000;
const place = 'linkfold.visit';

interface Visit {
  /** When the visit before ended, ms since the epoch; null for none. */
  readonly before: number | null;
  /** When the dashboard was last looked at. */
  readonly seenAt: number;
}

/**
 * What is kept of visits once the dashboard is looked at, or was until now: to look at it for long is not to be away.
 * @param now ms since the epoch
 */
export function visitAt(kept: Visit | undefined, now: number, wasSeen: boolean): Visit {
  if (kept === undefined) return { before: null, seenAt: now };
  const wasAway = !wasSeen && now - kept.seenAt >= awayMs;
  return { before: wasAway ? kept.seenAt : kept.before, seenAt: now };
}

function read(): Visit | undefined {
  try {
    const { before, seenAt } = JSON.parse(localStorage.getItem(place) ?? '') as Visit;
    return Number.isFinite(seenAt) ? { before, seenAt } : undefined;
  } catch {
    return undefined; // storage is off, or this is the first visit
  }
}

let current: Visit | undefined;

function note(wasSeen: boolean): void {
  current = visitAt(read() ?? current, Date.now(), wasSeen);
  try {
    localStorage.setItem(place, JSON.stringify(current));
  } catch {
    // Then it is known as long as the page is open.
  }
}

/** Notes that the dashboard is looked at: now, and whenever it goes out of sight or comes back. */
export function noteVisit(): void {
  note(false);
  document.addEventListener('visibilitychange', noteSight);
}

/** A page that goes out of sight was seen until now. */
function noteSight(): void {
  note(document.hidden);
}

/** When this browser last looked at the dashboard before this visit, ms since the epoch. */
export function lastVisit(): number | undefined {
  return current?.before ?? undefined;
}
