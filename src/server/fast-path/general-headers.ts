/**
 * The headers that `node:http` adds to every answer, with the empty line behind them; rebuilt every second, for the date.
 * @param now milliseconds since the epoch
 * @param keepAliveSeconds how long an idle connection stays open
 * @returns a function that is told whether the connection ends with the answer
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

/** What every redirect has between its location and the general headers. */
export function redirectHeaders(referrerPolicy: string | undefined): string {
  const policy = referrerPolicy === undefined ? '' : `Referrer-Policy: ${referrerPolicy}\r\n`;
  return `\r\nCache-Control: no-store\r\nContent-Length: 0\r\n${policy}`;
}
