// Runs command lines one after the other in one process, each with its own environment, input and output. This saves
// time, because starting a process is most of the cost of a command.
import { renameSync } from 'node:fs';
import { createServer } from 'node:net';
import { Readable, Writable } from 'node:stream';
import { run } from '../../../src/cli/run.ts';
import type { Ended, HostedLine } from './hosted-commands.ts';

const chunkBytes = 64 * 1024;

function replace(name: 'stdin' | 'stdout' | 'stderr', stream: Readable | Writable): void {
  Object.defineProperty(process, name, { value: stream, configurable: true });
}

function collect(name: 'stdout' | 'stderr'): () => string {
  const chunks: Buffer[] = [];
  const write = (chunk: Buffer, _encoding: string, done: () => void): void => {
    chunks.push(chunk);
    done();
  };
  replace(name, new Writable({ write }));
  return () => Buffer.concat(chunks).toString('utf8');
}

async function perform({ args, env, input, cwd }: HostedLine): Promise<Ended> {
  process.chdir(cwd);
  process.env = env;
  const bytes = Buffer.from(String(input), 'base64');
  const chunks = Array.from({ length: Math.ceil(bytes.length / chunkBytes) }, (_, at) =>
    bytes.subarray(at * chunkBytes, (at + 1) * chunkBytes),
  );
  replace('stdin', Readable.from(chunks));
  const [out, err] = [collect('stdout'), collect('stderr')];
  const code = await run(args);
  return { code, out: out(), err: err() };
}

// Clients connect as soon as the path exists, so it is created only once connections are accepted.
const path = process.argv[2] ?? '';
let last: Promise<unknown> = Promise.resolve();
createServer({ allowHalfOpen: true }, (socket) => {
  let line = '';
  socket.setEncoding('utf8').on('data', (text) => (line += text));
  socket.on('error', () => {}); // The test file that sent the command may have been killed.
  socket.once('end', () => {
    last = last
      .then(() => perform(JSON.parse(line)))
      .then(
        (ended) => socket.end(JSON.stringify(ended)),
        () => socket.destroy(),
      );
  });
}).listen(`${path}.new`, () => renameSync(`${path}.new`, path));
