/**
 * How far a replica must have followed the primary to say where a code leads: beyond the last change of it that this
 * process knows of. Positions are bytes of the write-ahead log.
 */
export interface ChangePositions {
  /** The position from which on all changes of a name are there; infinite while that is not known. */
  needed(name: string): number;
  changed(name: string, position: number): void;
  /** Says that this process has committed a change; where, a look that begins later will tell. */
  changedHere(name: string): void;
  /** Says that anything may have changed up to a position, and that earlier ones are no measure of it. */
  unknown(position: number): void;
  /** Says that everything committed before a look began has been told. @param began by `performance.now()` */
  looked(began: number, position: number): void;
  /** The position beyond which changes are known by their names. */
  floor(): number;
  /** How long ago the primary was at a position, ms, as far as it is remembered. */
  agoMs(position: number): number;
}

/** Changes are known by name for so long. Who is further behind cannot be asked for anything. */
const rememberedMs = 30_000;
const maxNames = 20_000;

export function createChangePositions(): ChangePositions {
  /** Beyond the floor, the lowest first. */
  const changes = new Map<string, number>();
  /** Changes of this process whose position is not known, and when they were committed, the oldest first. */
  const own = new Map<string, number>();
  let looks: { readonly began: number; readonly position: number }[] = [];
  // Whatever was changed before the first look is below its position.
  let floor = Number.POSITIVE_INFINITY;
  let unplacedUntil = Number.NEGATIVE_INFINITY;

  const raise = (position: number): void => {
    floor = Math.max(floor, position);
    for (const [name, at] of changes) {
      if (at > floor) return;
      changes.delete(name);
    }
  };

  const put = (name: string, position: number): void => {
    if (position <= floor) return;
    changes.delete(name);
    changes.set(name, position);
    if (changes.size > maxNames) raise(position);
  };

  return {
    needed: (name) => (own.has(name) ? Number.POSITIVE_INFINITY : Math.max(floor, changes.get(name) ?? 0)),
    changed: put,
    changedHere(name) {
      const now = performance.now();
      own.delete(name);
      own.set(name, now);
      if (own.size <= maxNames) return;
      own.clear();
      floor = Number.POSITIVE_INFINITY;
      unplacedUntil = now;
    },
    unknown(position) {
      changes.clear();
      looks = [];
      // Infinite it stays: what is not placed may be beyond.
      if (floor !== Number.POSITIVE_INFINITY) floor = position;
    },
    looked(began, position) {
      for (const [name, at] of own) {
        if (at >= began) break;
        own.delete(name);
        put(name, position);
      }
      if (floor === Number.POSITIVE_INFINITY && began > unplacedUntil) floor = position;
      looks.push({ began, position });
      while (looks[0] !== undefined && began - looks[0].began > rememberedMs)
        raise(looks.shift()?.position ?? 0);
    },
    floor: () => floor,
    agoMs(position) {
      const passed = looks.find((look) => look.position > position);
      return passed === undefined ? 0 : performance.now() - passed.began;
    },
  };
}
