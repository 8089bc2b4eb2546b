import type { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { readInto } from './fast-path/read-into.ts';

/** How long a connection is read after its last answer, ms. */
const lingerMs = 5_000;
/** And how much of it, bytes: a body of any ordinary size, and no stream. */
const maxUnread = 32 * 1024 * 1024;
/** The buffer for bytes that are thrown away; all connections share it. */
const sink = Buffer.allocUnsafeSlow(65_536);

/**
 * Ends a connection whose client may still be sending. A connection that is closed on bytes that were not read is reset,
 * and a client that is reset loses an answer that it has not read yet. So this side ends, and reads and
 * discards until the client ends too, for 5 seconds and 32 MiB at most.
 * @param last what is still to be sent
 */
export function endLingering(socket: Socket, last = ''): void {
  let unread = 0;
  const drop = (bytes: number): void => {
    unread += bytes;
    if (unread > maxUnread) socket.destroy();
  };
  // Node's parser must take nothing more for a request, nor miss the end of the one that was refused: the listener takes
  // the connection from it. But for each of its events Node would take memory.
  socket.removeAllListeners('data').removeAllListeners('end');
  socket.on('data', (chunk: Buffer) => drop(chunk.length));
  readInto(socket, sink, drop);
  const tooLong = setTimeout(() => socket.destroy(), lingerMs).unref();
  socket.once('close', () => clearTimeout(tooLong));
  socket.end(last);
  socket.resume();
}

/** Makes Node linger instead of closing, when it ends a connection before the body of this request was read. */
export function lingerAfter(request: IncomingMessage): void {
  const { socket } = request;
  socket.destroySoon = () => {
    if (request.complete) Socket.prototype.destroySoon.call(socket);
    else endLingering(socket);
  };
}
