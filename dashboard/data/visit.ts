/** An absence of at least this many milliseconds starts a new visit. */
const awayMs = 1_800_000;
const place = 'linkfold.visit';

interface Visit {
  /** End of the previous visit in ms since the epoch. Null if there was no previous visit. */
  readonly before: number | null;
  /** Time at which the dashboard was last visible, in ms since the epoch. */
  readonly seenAt: number;
}

/**
 * Returns the updated visit. Called when the dashboard becomes visible or hidden. `wasSeen` is true when the dashboard
 * becomes hidden, because the user was present until now.
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
    return undefined; // storage is disabled, or this is the first visit
  }
}

let current: Visit | undefined;

function note(wasSeen: boolean): void {
  current = visitAt(read() ?? current, Date.now(), wasSeen);
  try {
    localStorage.setItem(place, JSON.stringify(current));
  } catch {
    // If storage is disabled, the visit is remembered until the page is closed.
  }
}

/** Records that the dashboard is visible now, and then each time it becomes hidden or visible. */
export function noteVisit(): void {
  note(false);
  document.addEventListener('visibilitychange', noteSight);
}

/** Records the visit when the page is hidden or shown. A page that is being hidden was visible until now. */
function noteSight(): void {
  note(document.hidden);
}

/** Returns when the dashboard was last visible before the current visit, in ms since the epoch. */
export function lastVisit(): number | undefined {
  return current?.before ?? undefined;
}
