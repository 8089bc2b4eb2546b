import type { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { readInto } from './fast-path/read-into.ts';

/** How long to read from a connection after the last response, in milliseconds. */
const lingerMs = 5_000;
/** Maximum number of bytes to read after the last response. This is more than any ordinary body. */
const maxUnread = 32 * 1024 * 1024;
/** Buffer for discarded data, shared by all connections. */
const sink = Buffer.allocUnsafeSlow(65_536);

/**
 * Closes a connection whose client may still be sending data. If a connection is closed with unread data, it is reset,
 * and the client loses a response that it has not read yet. Therefore this function ends the server's half of the
 * connection, then reads and discards data until the client ends the other half, for at most 5 seconds and 32 MiB.
 * @param last data that must still be sent
 */
export function endLingering(socket: Socket, last = ''): void {
  let unread = 0;
  const drop = (bytes: number): void => {
    unread += bytes;
    if (unread > maxUnread) socket.destroy();
  };
  // Detaches Node's parser, which must not parse the remaining data or report its end as an incomplete request.
  // The parser would also use memory for each event.
  socket.removeAllListeners('data').removeAllListeners('end');
  socket.on('data', (chunk: Buffer) => drop(chunk.length));
  readInto(socket, sink, drop);
  const tooLong = setTimeout(() => socket.destroy(), lingerMs).unref();
  socket.once('close', () => clearTimeout(tooLong));
  socket.end(last);
  socket.resume();
}

/**
 * Makes Node call `endLingering` instead of closing the connection if the request's body has not been read completely.
 */
export function lingerAfter(request: IncomingMessage): void {
  const { socket } = request;
  socket.destroySoon = () => {
    if (request.complete) Socket.prototype.destroySoon.call(socket);
    else endLingering(socket);
  };
}
