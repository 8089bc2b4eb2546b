/** Runs work after all earlier work with the same name has ended, successfully or not. */
export type Serially = <T>(name: unknown, work: () => Promise<T>) => Promise<T>;

export function createSerial(): Serially {
  /** The last work of each name, for which the next work of that name waits. */
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
