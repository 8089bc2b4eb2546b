/** Messages that another process has not taken in: some seconds' worth. */
const maxUnsent = 1_000;

/**
 * Sends messages to another process, which may be stopped: what it does not take in waits in this one's memory. Of that
 * there is a bound, beyond which only what it cannot do without is sent.
 * @param pass hands a message to the system, and calls back when it is gone
 * @param isSpare of a message whose loss the next one of its kind makes up for, or the sender by itself
 * @returns the function that sends: false when it did not
 */
export function createSending<Message>(
  pass: (message: Message, gone: () => void) => void,
  isSpare: (message: Message) => boolean,
): (message: Message) => boolean {
  let unsent = 0;
  const gone = (): void => {
    unsent -= 1;
  };
  return (message) => {
    if (unsent >= maxUnsent && isSpare(message)) return false;
    unsent += 1;
    pass(message, gone);
    return true;
  };
}
