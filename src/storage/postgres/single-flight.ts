/** Deduplicates concurrent reads of the same name. */
export interface SingleFlight<V> {
  load(name: string): Promise<V | undefined>;
  /** Marks a running read as stale: its callers get the result, but the result is not cached. */
  drop(name: string): void;
  clear(): void;
}

export interface SingleFlightOptions<V> {
  readonly read: (name: string) => Promise<V | undefined>;
  /** @param since when the read began (a value of `performance.now()`) */
  readonly keep: (name: string, found: V | undefined, since: number) => void;
}

/**
 * Maximum age in ms of a running read that another call may join. The result may be as old as the start of that read.
 */
const joinMs = 500;

export function createSingleFlight<V>({ read, keep }: SingleFlightOptions<V>): SingleFlight<V> {
  interface Load {
    readonly since: number;
    readonly found: Promise<V | undefined>;
  }
  const running = new Map<string, Load>();
  return {
    load(name) {
      const since = performance.now();
      const joined = running.get(name);
      if (joined !== undefined && since - joined.since <= joinMs) return joined.found;
      const found = read(name).then(
        (value) => {
          // The read was dropped or replaced while it was running.
          if (running.get(name) !== load) return value;
          running.delete(name);
          keep(name, value, since);
          return value;
        },
        (error: unknown) => {
          if (running.get(name) === load) running.delete(name);
          throw error;
        },
      );
      const load: Load = { since, found };
      running.set(name, load);
      return found;
    },
    drop: (name) => void running.delete(name),
    clear: () => running.clear(),
  };
}
