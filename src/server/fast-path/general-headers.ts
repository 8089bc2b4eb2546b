/**
 * Returns the headers that `node:http` adds to every answer, including the empty line; rebuilt every second for
 * `Date`.
 * @param now milliseconds since the epoch
 * @param keepAliveSeconds timeout of idle connections
 * @returns a function of whether the connection closes after the answer
 */
export function createGeneralHeaders(
  now: () => number,
  keepAliveSeconds: number,
): (closes: boolean) => string {
  let second = Number.NaN;
  let closing = '';
  let keeping = '';
  return (closes) => {
    const current = Math.floor(now() / 1_000);
    if (current !== second) {
      second = current;
      const date = `Date: ${new Date(second * 1_000).toUTCString()}\r\nConnection: `;
      closing = `${date}close\r\n\r\n`;
      keeping = `${date}keep-alive\r\nKeep-Alive: timeout=${keepAliveSeconds}\r\n\r\n`;
    }
    return closes ? closing : keeping;
  };
}

/** Returns the headers of every redirect between `Location` and the general headers. */
export function redirectHeaders(referrerPolicy: string | undefined): string {
  const policy = referrerPolicy === undefined ? '' : `Referrer-Policy: ${referrerPolicy}\r\n`;
  return `\r\nCache-Control: no-store\r\nContent-Length: 0\r\n${policy}`;
}
