/** Calls a function after all earlier calls with the same name have ended, successfully or not. */
export type Serially = <T>(name: unknown, work: () => Promise<T>) => Promise<T>;

export function createSerial(): Serially {
  /** Last call for each name. The next call with the same name waits for it. */
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
