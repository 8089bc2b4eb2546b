import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../files/temporary.ts';
import { type Ended, needsProcess, runHosted } from './hosted-commands.ts';

/** Path of the program under test. */
export const linkfold = fileURLToPath(new URL('../../../bin/linkfold', import.meta.url));
/** Working directory in which the commands run. */
export const dir = temporaryFolder('cli');
/** Environment that sets little more than the folders for the data and the profiles. */
export const bare = {
  PATH: process.env['PATH'],
  DATA_DIR: join(dir, 'data'),
  XDG_CONFIG_HOME: join(dir, 'config'),
  LOG_LEVEL: 'silent',
};

interface Options {
  readonly env?: object;
  readonly input?: string | Uint8Array;
}

/**
 * Runs a command until it exits, usually in a process that all commands in a test run share. See {@link runProcess}.
 */
export function run(args: readonly string[], { env = {}, input = '' }: Options = {}): Promise<Ended> {
  if (needsProcess(args)) return runProcess(args, { env, input });
  const given = Object.entries({ ...bare, ...env }).filter(([, value]) => value !== undefined);
  return runHosted({ args, env: Object.fromEntries(given) as Record<string, string>, input, cwd: dir });
}

/** Runs a command in its own process until it exits, as a shell does. */
export function runProcess(args: readonly string[], { env = {}, input = '' }: Options = {}): Promise<Ended> {
  return new Promise((resolve) => {
    const child = spawn(linkfold, args, { cwd: dir, env: { ...bare, ...env } as NodeJS.ProcessEnv });
    let [out, err] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text) => (out += text));
    child.stderr.setEncoding('utf8').on('data', (text) => (err += text));
    child.stdin.on('error', () => {}).end(input);
    child.on('close', (code) => resolve({ code, out, err }));
  });
}

/**
 * Runs a command that must succeed.
 * @returns its output
 */
export async function good(args: readonly string[], given?: Options): Promise<string> {
  const { code, out, err } = await run(args, given);
  assert.equal(code, 0, `linkfold ${args.join(' ')}: ${err}`);
  return out;
}

/** Runs a command with `--json`, which must succeed, and returns the parsed output. */
export async function json(args: readonly string[], given?: Options) {
  return JSON.parse(await good([...args, '--json'], given));
}

/** Returns the error that a command with `--json` prints on the last line of stderr. */
export function faultIn({ err }: Ended) {
  const { error, ...rest } = JSON.parse(err.trim().split('\n').at(-1) ?? '');
  assert.deepEqual(rest, {});
  return error;
}

/** Starts a server and waits until it is ready. */
export async function serve(env: Record<string, string>, url: string): Promise<ChildProcess> {
  const child = spawn(linkfold, ['serve'], { cwd: dir, env: { ...bare, ...env }, stdio: 'ignore' });
  for (let tries = 0; tries < 200; tries += 1) {
    const ready = await fetch(`${url}/readyz`).catch(() => undefined);
    if (ready?.ok) return child;
    assert.equal(child.exitCode, null, 'serve ended');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('serve did not become ready');
}

/** A fake server whose responses the test defines. */
export interface OddServer {
  readonly env: object;
  asked: { url: string; idempotencyKey: string | undefined; body: string }[];
  answer: (body: string, url: string) => [status: number, body: object];
  close(): void;
}

export async function startOddServer(): Promise<OddServer> {
  const server: Server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const idempotencyKey = request.headers['idempotency-key'] as string | undefined;
    odd.asked.push({ url: request.url ?? '', idempotencyKey, body });
    const [status, said] = odd.answer(body, request.url ?? '');
    response.writeHead(status).end(JSON.stringify(said));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const odd: OddServer = {
    env: { LINKFOLD_URL: `http://127.0.0.1:${port}`, LINKFOLD_API_KEY: 'k' },
    asked: [],
    answer: () => [500, {}],
    close: () => server.close(),
  };
  return odd;
}
