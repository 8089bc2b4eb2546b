import type { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { readInto } from './fast-path/read-into.ts';

/** How long to read from a connection after its last response, ms. */
const lingerMs = 5_000;
/** Maximum amount to read, bytes: any ordinary body, but not an endless stream. */
const maxUnread = 32 * 1024 * 1024;
/** Buffer for discarded data, shared by all connections. */
const sink = Buffer.allocUnsafeSlow(65_536);

/**
 * Closes a connection whose client may still be sending. Closing with unread data resets the connection, and the
 * client then loses a response that it has not read yet. So this side ends its half, then reads and discards until the
 * client ends too, for 5 seconds and 32 MiB at most.
 * @param last data still to be sent
 */
export function endLingering(socket: Socket, last = ''): void {
  let unread = 0;
  const drop = (bytes: number): void => {
    unread += bytes;
    if (unread > maxUnread) socket.destroy();
  };
  // Node's parser must neither see further data nor miss the end of the rejected request, so it is detached. Left
  // attached, it would use memory for each of its events.
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
