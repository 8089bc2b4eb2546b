import { createServer, type Server, type Socket } from 'node:net';
import { errorAnswer, jsonHeaders } from '../contract/envelope.ts';
import { Failure } from '../model/failures.ts';
import { STATUS_CODES } from '../runtime/node-http.ts';
import { type ListenAddress, listenOn } from './port.ts';

/** A client that sends no request is disconnected after this many milliseconds. */
const requestTimeoutMs = 5_000;

/** Handles probes while the server waits for its database or migrates the database. */
export interface StartListener {
  /**
   * Opens the port if it is not open. Ignores errors, because the main listener reports them when it opens the port.
   */
  open(): void;
  /** Stops handling requests. @returns the server with its open port, for the main listener */
  handOver(): Promise<Server | undefined>;
  /** Closes the port, unless the port was handed over. */
  close(): Promise<void>;
}

/** Creates the listener for use during startup. `/healthz` returns 200 and `starting`; every other path returns 503. */
export function createStartListener(place: ListenAddress, newRequestId: () => string): StartListener {
  const server = createServer((socket) => answerStarting(socket, newRequestId()));
  let opening: Promise<unknown> | undefined;
  let isOver = false;
  const opened = async (): Promise<Server | undefined> => {
    isOver = true;
    await opening;
    return server.listening ? server : undefined;
  };
  return {
    open() {
      if (!isOver) opening ??= listenOn(server, place).catch(() => {});
    },
    handOver: opened,
    async close() {
      if (!isOver) (await opened())?.close();
    },
  };
}

function answerStarting(socket: Socket, requestId: string): void {
  socket.on('error', () => socket.destroy());
  socket.setTimeout(requestTimeoutMs, () => socket.destroy());
  socket.once('data', (bytes) => {
    const [, method, path] = /^(\S+) ([^\s?]*)/.exec(bytes.toString('latin1')) ?? [];
    const refusal = errorAnswer(new Failure('STORAGE_UNAVAILABLE'), requestId);
    const isHealth = path === '/healthz' || path === '/healthz/';
    const { status, headers, body } = isHealth
      ? { status: 200, headers: {}, body: { status: 'starting' } }
      : refusal;
    const text = JSON.stringify(body);
    const length = Buffer.byteLength(text);
    const lines = { ...jsonHeaders(requestId), 'content-length': length, ...headers, connection: 'close' };
    const head = Object.entries(lines).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.end(
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head.join('')}\r\n${method === 'HEAD' ? '' : text}`,
    );
  });
}
