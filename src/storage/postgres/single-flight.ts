/** Reads by name: calls for a name that is being read share that read. */
export interface SingleFlight<V> {
  load(name: string): Promise<V | undefined>;
  /** The read under way for the name may be out of date: its callers get it, but it is not kept. */
  drop(name: string): void;
  clear(): void;
}

export interface SingleFlightOptions<V> {
  readonly read: (name: string) => Promise<V | undefined>;
  /** @param since when the read began, by `performance.now()` */
  readonly keep: (name: string, found: V | undefined, since: number) => void;
}

/** A call joins no read that began longer ago, as its answer is as old as its beginning, ms. */
const joinMs = 500;

export function createSingleFlight<V>({ read, keep }: SingleFlightOptions<V>): SingleFlight<V> {
  interface Load {
    readonly since: number;
    readonly found: Promise<V | undefined>;
  }
  const underWay = new Map<string, Load>();
  return {
    load(name) {
      const since = performance.now();
      const joined = underWay.get(name);
      if (joined !== undefined && since - joined.since <= joinMs) return joined.found;
      const found = read(name).then(
        (value) => {
          // Dropped or overtaken meanwhile: the map has another read, or none.
          if (underWay.get(name) !== load) return value;
          underWay.delete(name);
          keep(name, value, since);
          return value;
        },
        (error: unknown) => {
          if (underWay.get(name) === load) underWay.delete(name);
          throw error;
        },
      );
      const load: Load = { since, found };
      underWay.set(name, load);
      return found;
    },
    drop: (name) => void underWay.delete(name),
    clear: () => underWay.clear(),
  };
}
