/** Runs work of a name when the work that was given for the same name before has ended, however that ended. */
export type Serially = <T>(name: unknown, work: () => Promise<T>) => Promise<T>;

export function createSerial(): Serially {
  /** What the next work of each name waits for. */
  const last = new Map<unknown, Promise<unknown>>();
  return (name, work) => {
    const done = (last.get(name) ?? Promise.resolve()).then(work);
    const ended = done.then(
      () => {},
      () => {},
    );
    last.set(name, ended);
    void ended.then(() => last.get(name) === ended && last.delete(name));
    return done;
  };
}
