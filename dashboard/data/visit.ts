/** An absence of this length starts a new visit, ms. */
const awayMs = 1_800_000;
const place = 'linkfold.visit';

interface Visit {
  /** End of the previous visit, ms since the epoch; null for none. */
  readonly before: number | null;
  /** Time at which the dashboard was last visible. */
  readonly seenAt: number;
}

/**
 * Updates the visit. Called when the dashboard becomes visible, and with `wasSeen` when it is hidden: the time in
 * view is not an absence.
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
    // Without storage, the visit is known until the page is closed.
  }
}

/** Records that the dashboard is visible: now, and whenever it is hidden or shown. */
export function noteVisit(): void {
  note(false);
  document.addEventListener('visibilitychange', noteSight);
}

/** A page that is being hidden was visible until now. */
function noteSight(): void {
  note(document.hidden);
}

/** Returns when this browser last showed the dashboard before this visit, ms since the epoch. */
export function lastVisit(): number | undefined {
  return current?.before ?? undefined;
}
