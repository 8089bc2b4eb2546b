// For the hostile-client test: a separate process with many connections, each of which sends a new request as soon as
// it gets a response. Reports when every connection has received a response, and later the number of responses.
import { connect, type Socket } from 'node:net';

const [port = 0, forMs = 0, most = 0] = process.argv.slice(2).map(Number);
const request = process.argv[5] ?? '';
let answers = 0;
let begun = 0;

for (let count = 0; count < most; count += 1) {
  let isFirst = true;
  const askAgain = (): boolean => {
    answers += 1;
    if (isFirst) begun += 1;
    if (isFirst && begun === most) process.send?.('all');
    isFirst = false;
    socket.write(request);
    return true;
  };
  const onread = { buffer: Buffer.alloc(4_096), callback: askAgain };
  const socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true, onread });
  socket.on('error', () => {}).write(request);
}

process.once('message', () => {
  setTimeout(() => process.send?.({ answers }, () => process.exit()), forMs);
});
// If the parent process exits, nothing else would stop this process.
process.on('disconnect', () => process.exit());
