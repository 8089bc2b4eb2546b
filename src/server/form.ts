import type { IncomingMessage, ServerResponse } from 'node:http';
import { Refusal } from '../contract/envelope.ts';

/** Maximum size of a form, bytes: enough for one field of 256 characters in any script, percent-encoded. */
const maxFormBytes = 4_096;
const formType = /^application\/x-www-form-urlencoded(?:\s*;|$)/i;

/**
 * Reads a submitted form. A request without a body is an empty form.
 * @throws Refusal UNSUPPORTED_MEDIA_TYPE, BODY_TOO_LARGE; REQUEST_TIMEOUT if the client disconnects before the end
 */
export async function readForm(request: IncomingMessage, response: ServerResponse): Promise<URLSearchParams> {
  const { headers } = request;
  const isEmpty = headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0;
  if (isEmpty) return new URLSearchParams();
  if (!formType.test(headers['content-type'] ?? ''))
    throw new Refusal(
      'UNSUPPORTED_MEDIA_TYPE',
      'Send the form with "Content-Type: application/x-www-form-urlencoded".',
    );
  if (Number(headers['content-length'] ?? 0) > maxFormBytes) throw tooLarge();
  if (headers.expect !== undefined) response.writeContinue();
  const parts: Buffer[] = [];
  let length = 0;
  const end = Promise.withResolvers<void>();
  // The remainder is read and discarded, as for any other refusal.
  request.on('data', (part: Buffer) => {
    length += part.length;
    if (length > maxFormBytes) end.reject(tooLarge());
    else parts.push(part);
  });
  request.once('end', end.resolve);
  const gone = (): void => end.reject(new Refusal('REQUEST_TIMEOUT', 'The form did not arrive in time.'));
  request.once('error', gone);
  request.once('close', gone);
  await end.promise;
  return new URLSearchParams(Buffer.concat(parts).toString());
}

function tooLarge(): Refusal {
  const text = `The form is larger than ${maxFormBytes / 1024} KiB.`;
  return new Refusal('BODY_TOO_LARGE', text, { connection: 'close' });
}
