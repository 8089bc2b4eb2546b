// For the hostile-client test: a separate process that opens connections as fast as possible and sends nothing.
// Connections that are closed are immediately reopened.
import { connect } from 'node:net';

export interface Flooded {
  readonly opened: number;
  readonly closed: number;
}

const [port = 0, forMs = 0, most = 0] = process.argv.slice(2).map(Number);
const perTick = 50;
const addresses = 250;
const end = performance.now() + forMs;
let opened = 0;
let closed = 0;

/**
 * Opens a connection from one of many local addresses. One address has too few ports, because the kernel keeps used
 * ports for a minute.
 */
function open(): void {
  const localAddress = `127.0.1.${1 + (opened % addresses)}`;
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  opened += 1;
  socket.on('error', () => {}).resume();
  socket.once('close', () => {
    closed += 1;
    if (performance.now() < end) open();
  });
}

function fill(left: number): void {
  for (let turn = 0; turn < Math.min(left, perTick); turn += 1) open();
  if (left > perTick) setImmediate(fill, left - perTick);
}
fill(most);

setTimeout(() => {
  const flooded: Flooded = { opened, closed };
  process.send?.(flooded, () => process.exit());
}, forMs);
