import type { Socket } from 'node:net';

interface Handle {
  useUserBuffer?(buffer: Uint8Array): void;
}

type Reading = Socket & Record<symbol, unknown> & { readonly _handle?: Handle | null };

let places: { readonly buffer: symbol; readonly read: symbol } | undefined;

function placesIn(socket: Socket): typeof places {
  const symbols = Object.getOwnPropertySymbols(socket);
  const named = (name: string): symbol | undefined => symbols.find(({ description }) => description === name);
  const [buffer, read] = [named('kBuffer'), named('kBufferCb')];
  return buffer === undefined || read === undefined ? undefined : { buffer, read };
}

/**
 * Lets a connection read into a buffer that many may share, as the option `onread` of `net.connect` does, for which an
 * accepted connection has no public way. Else Node takes 64 KiB of memory for every read and makes three objects of it.
 * @param onRead what was read is at the buffer's beginning, until any connection reads again
 * @returns whether this Node can; if not, `data` events go on
 */
export function readInto(socket: Socket, buffer: Buffer, onRead: (length: number) => void): boolean {
  const { _handle: handle } = socket as Reading;
  places ??= placesIn(socket);
  if (places === undefined || typeof handle?.useUserBuffer !== 'function') return false;
  (socket as Reading)[places.buffer] = buffer;
  (socket as Reading)[places.read] = onRead;
  handle.useUserBuffer(buffer);
  return true;
}

/** Makes such a connection an ordinary stream again, for whoever comes next. */
export function readAsStream(socket: Socket): void {
  const reading = socket as Reading;
  if (places === undefined || reading[places.buffer] == null) return;
  reading[places.read] = (length: number, buffer: Buffer): boolean =>
    socket.push(Buffer.copyBytesFrom(buffer, 0, length));
}
