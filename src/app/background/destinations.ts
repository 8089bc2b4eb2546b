import type { Config } from '../../config.ts';
import type { Storage } from '../../model/storage.ts';
import { createOutbound } from '../../outbound/outbound.ts';
import type { Report } from '../../runtime/report.ts';
import { type BackgroundTask, createRounds } from '../../runtime/rounds.ts';
import { createLook } from '../../watching/look.ts';
import { createWatch, roundMs, type Watch } from '../../watching/watch.ts';

interface WatchOptions {
  readonly storage: Storage;
  readonly now: () => number;
  readonly onError: Report;
  /** Returns the origin of the short URLs. */
  readonly origin: () => string;
}

/** Starts destination monitoring, which runs in one of all processes; undefined if disabled. */
export function openDestinations(
  { WATCH_DESTINATIONS: isWanted, FETCH_TITLES: fetchTitles, OUTBOUND_ALLOW: allowed }: Config,
  { storage, now, onError, origin }: WatchOptions,
): { readonly rounds: BackgroundTask; readonly stats: Watch['stats'] } | undefined {
  if (!isWanted) return undefined;
  const outbound = createOutbound({ allowed });
  const look = createLook({ outbound, now, origin });
  const watch = createWatch({ storage, look, fetchTitles, now, chance: Math.random });
  const rounds = createRounds({
    hasWork: watch.hasWork,
    acquireLease: (leaseMs) => storage.acquireLease('destinations', now(), leaseMs),
    slice: watch.slice,
    fault: 'Destinations of links cannot be looked at.',
    onError,
    intervalMs: roundMs,
  });
  const close = (): Promise<void> => {
    watch.stop();
    outbound.close();
    return rounds.close();
  };
  return { rounds: { ...rounds, close }, stats: watch.stats };
}
