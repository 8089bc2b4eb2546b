import { isUtf8 } from 'node:buffer';
import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { endLingering } from './linger.ts';

/** Node's parse error, with the data that the parser received and the offset of the rejected byte. */
interface ParseError extends NodeJS.ErrnoException {
  readonly rawPacket?: Buffer;
  readonly bytesParsed?: number;
}

const space = 0x20;
const requestStart = /^(?:GET|HEAD) $/;
const hasBody = /\r\n(?:content-length|transfer-encoding)[ \t]*:/i;

/**
 * Repairs a request that Node's parser rejected because of a byte in its target: percent-encodes the target if it is
 * valid UTF-8. Accepts only a complete GET or HEAD request without a body, so that the end of the request is certain.
 * @returns undefined for any other error
 */
function encodedRequest({ code, rawPacket, bytesParsed }: ParseError): Buffer | undefined {
  if (code !== 'HPE_INVALID_URL' || rawPacket === undefined || bytesParsed === undefined) return undefined;
  // The request line starts after the last line break before the rejected byte, because a target contains no line
  // break.
  const start = rawPacket.lastIndexOf('\n', bytesParsed) + 1;
  const target = rawPacket.indexOf(space, start) + 1;
  const afterTarget = rawPacket.indexOf(space, target);
  const end = rawPacket.indexOf('\r\n\r\n', bytesParsed) + 4;
  if (target === 0 || target > bytesParsed || afterTarget === -1 || afterTarget > end || end < 4)
    return undefined;
  const [method, text] = [rawPacket.subarray(start, target), rawPacket.subarray(target, afterTarget)];
  const rest = rawPacket.subarray(afterTarget, end);
  if (!requestStart.test(method.toString('latin1')) || !isUtf8(text)) return undefined;
  if (hasBody.test(rest.toString('latin1'))) return undefined;
  const encoded = text.toString().replace(/[^\0-\x7f]+/g, encodeURIComponent);
  return Buffer.concat([method, Buffer.from(encoded), rest]);
}

/**
 * A connection with one request that has already been read. Writes the response to the socket, then ends the socket.
 */
export class ResentRequest extends Duplex {
  readonly socket: Socket;

  constructor(socket: Socket, request: Buffer) {
    super();
    this.socket = socket;
    // Sets the property that handlers check to detect encrypted connections.
    if ('encrypted' in socket) Object.assign(this, { encrypted: true });
    socket.once('close', () => this.destroy());
    socket.on('error', () => socket.destroy());
    this.push(request);
  }
  get remoteAddress(): string | undefined {
    return this.socket.remoteAddress;
  }
  override _read(): void {}
  override _write(bytes: Buffer, encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.socket.write(bytes, encoding, done);
  }
  override _final(done: () => void): void {
    endLingering(this.socket);
    done();
  }
}

/**
 * Makes a server accept raw UTF-8 in request targets, which Node's parser rejects. Call this before any other code
 * handles the server's connections.
 * @returns a function that handles the request that caused a parse error, or returns false if that is not possible
 */
export function createResend(server: Server): (error: ParseError, socket: Socket) => boolean {
  const parse = server.listeners('connection')[0] as (this: Server, socket: Duplex) => void;
  return (error, socket) => {
    // Gives up while an earlier response is pending on this connection, because responses could get out of order.
    const { _httpMessage: due } = socket as Socket & { readonly _httpMessage?: ServerResponse | null };
    const request = due == null ? encodedRequest(error) : undefined;
    if (request === undefined) return false;
    parse.call(server, new ResentRequest(socket, request));
    return true;
  };
}
