/** Pending requests to another process. An ID links each response to its request. */
export interface PendingRequests<Answer> {
  /**
   * Sends a request and returns the response.
   * @param send sends the request with the given ID
   * @throws Error if the response does not arrive in time
   */
  ask(send: (id: number) => void): Promise<Answer>;
  /** Handles a response. Ignores a response without a pending request. */
  answer(id: number, answer: Answer): void;
}

export function createPendingRequests<Answer>(timeoutMs: number): PendingRequests<Answer> {
  const open = new Map<number, (answer: Answer) => void>();
  let last = 0;
  return {
    ask(send) {
      last += 1;
      const id = last;
      const { promise, resolve, reject } = Promise.withResolvers<Answer>();
      const tooLate = setTimeout(
        () => reject(new Error('Another process of this server did not respond in time.')),
        timeoutMs,
      );
      open.set(id, resolve);
      send(id);
      return promise.finally(() => {
        clearTimeout(tooLate);
        open.delete(id);
      });
    },
    answer: (id, answer) => open.get(id)?.(answer),
  };
}
