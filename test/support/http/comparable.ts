import type { Answer } from './ask.ts';

const hopByHop = new Set(['date', 'x-request-id', 'connection', 'keep-alive']);

/** Returns a response without the parts that always differ. */
export function comparable({ status, rawHeaders, text }: Answer): unknown {
  return {
    status,
    headers: rawHeaders.flatMap((name, index) =>
      index % 2 === 0 && !hopByHop.has(name.toLowerCase()) ? [`${name}: ${rawHeaders[index + 1]}`] : [],
    ),
    body: text.replace(/"requestId":"[^"]*"/, '"requestId":"…"'),
  };
}
