/**
 * The headers that `node:http` adds to every answer, with the empty line behind them; rebuilt every second, for the date.
 * @param now milliseconds since the epoch
 * @param keepAliveSeconds how long an idle connection stays open
 */
export function createGeneralHeaders(now: () => number, keepAliveSeconds: number): () => string {
  const keepAlive = `Connection: keep-alive\r\nKeep-Alive: timeout=${keepAliveSeconds}`;
  let second = 0;
  let headers = '';
  return () => {
    const current = Math.floor(now() / 1_000);
    if (current !== second || headers === '') {
      second = current;
      headers = `Date: ${new Date(second * 1_000).toUTCString()}\r\n${keepAlive}\r\n\r\n`;
    }
    return headers;
  };
}

/** What every redirect has between its location and the general headers. */
export function redirectHeaders(referrerPolicy: string | undefined): string {
  const policy = referrerPolicy === undefined ? '' : `Referrer-Policy: ${referrerPolicy}\r\n`;
  return `\r\nCache-Control: no-store\r\nContent-Length: 0\r\n${policy}`;
}
