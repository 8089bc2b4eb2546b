import type { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { readInto } from './fast-path/read-into.ts';

/** How long to read from a connection after its last response, ms. */
const lingerMs = 5_000;
/** Maximum amount to read after the last response, bytes: more than any ordinary body. */
const maxUnread = 32 * 1024 * 1024;
/** Buffer for discarded data, shared by all connections. */
const sink = Buffer.allocUnsafeSlow(65_536);

/**
 * Closes a connection whose client may still be sending data. Closing with unread data would reset the connection, and
 * the client would lose a response that it has not read yet. So this function ends the server's half, then reads and
 * discards data until the client ends its half, for at most 5 seconds and 32 MiB.
 * @param last data still to be sent
 */
export function endLingering(socket: Socket, last = ''): void {
  let unread = 0;
  const drop = (bytes: number): void => {
    unread += bytes;
    if (unread > maxUnread) socket.destroy();
  };
  // Detaches Node's parser: it must not parse the remaining data, nor report its end as an incomplete request. It would
  // also use memory for each event.
  socket.removeAllListeners('data').removeAllListeners('end');
  socket.on('data', (chunk: Buffer) => drop(chunk.length));
  readInto(socket, sink, drop);
  const tooLong = setTimeout(() => socket.destroy(), lingerMs).unref();
  socket.once('close', () => clearTimeout(tooLong));
  socket.end(last);
  socket.resume();
}

/** Makes Node linger instead of closing when it ends a connection before this request's body was read. */
export function lingerAfter(request: IncomingMessage): void {
  const { socket } = request;
  socket.destroySoon = () => {
    if (request.complete) Socket.prototype.destroySoon.call(socket);
    else endLingering(socket);
  };
}
