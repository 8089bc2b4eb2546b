import type { Socket } from 'node:net';

interface Handle {
  useUserBuffer?(buffer: Uint8Array): void;
}

type Reading = Socket & Record<symbol, unknown> & { readonly _handle?: Handle | null };

let symbols: { readonly buffer: symbol; readonly read: symbol } | undefined;

function findSymbols(socket: Socket): typeof symbols {
  const own = Object.getOwnPropertySymbols(socket);
  const named = (name: string): symbol | undefined => own.find(({ description }) => description === name);
  const [buffer, read] = [named('kBuffer'), named('kBufferCb')];
  return buffer === undefined || read === undefined ? undefined : { buffer, read };
}

/**
 * Makes a connection read into a shared buffer, like the `onread` option of `net.connect`. Node has no public API for
 * doing so with accepted connections. By default, Node allocates 64 KiB and three objects per read.
 * @param onRead called after each read. The data is at the start of the buffer until any connection reads again
 * @param onEnd called instead of an `end` event when the client half-closes. Node would need three ticks for the event
 * @returns false if this version of Node does not support a shared buffer. In this case, the connection stays an
 * ordinary stream
 */
export function readInto(
  socket: Socket,
  buffer: Buffer,
  onRead: (this: Socket, length: number) => void,
  onEnd?: (this: Socket) => void,
): boolean {
  const { _handle: handle } = socket as Reading;
  symbols ??= findSymbols(socket);
  if (symbols === undefined || typeof handle?.useUserBuffer !== 'function') return false;
  (socket as Reading)[symbols.buffer] = buffer;
  (socket as Reading)[symbols.read] = onRead;
  // Node reports the end of a connection as `push(null)`.
  if (onEnd !== undefined) socket.push = onEnd as unknown as Socket['push'];
  handle.useUserBuffer(buffer);
  return true;
}

/** Turns the connection back into an ordinary stream. */
export function readAsStream(socket: Socket): void {
  const reading = socket as Reading;
  if (symbols === undefined || reading[symbols.buffer] == null) return;
  delete (socket as Partial<Socket>).push;
  reading[symbols.read] = (length: number, buffer: Buffer): boolean =>
    socket.push(Buffer.copyBytesFrom(buffer, 0, length));
}
