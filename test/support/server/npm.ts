import { spawn } from 'node:child_process';
import type { Environment } from './server.ts';

const patienceMs = 180_000;

/** The machine's PATH, without the pinned Node that `npm test` puts first. */
export const machinePath = (process.env['PATH'] ?? '')
  .split(':')
  .filter((folder) => !folder.includes('node_modules') && !folder.includes('node-gyp-bin'))
  .join(':');

/** Returns the environment without npm's variables, as in a terminal where npm is not running. */
export function machineEnvironment(): Environment {
  // Matches the variables of npm and Node. Settings for the registry and trusted certificates are kept.
  const ofNpm =
    /^npm_(?!config_(?:cache|registry|userconfig|globalconfig|cafile)$)|^(?:NODE_(?!EXTRA_CA_CERTS$)|INIT_CWD$)/i;
  const kept = Object.entries(process.env).filter(([name]) => !ofNpm.test(name));
  return { ...(Object.fromEntries(kept) as Environment), PATH: machinePath };
}

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program with the machine's Node and npm instead of the pinned Node. */
export async function onMachine(
  folder: string,
  program: string,
  args: readonly string[],
  env: Environment = {},
): Promise<Ended> {
  const child = spawn(program, args, {
    cwd: folder,
    env: { ...machineEnvironment(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: patienceMs,
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk) => (stdout += chunk));
  child.stderr.on('data', (chunk) => (stderr += chunk));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  return { code, stdout, stderr };
}

const networkFault =
  /\b(?:SELF_SIGNED_CERT_IN_CHAIN|ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT|E5\d\d)\b/;

/** Returns why an installation failed if the registry is unavailable or too slow. */
export function registryFault({ code, stderr }: Ended): string | undefined {
  if (code === 0) return undefined;
  if (code === null) return `npm took more than ${patienceMs / 1000} s`;
  return networkFault.exec(stderr)?.[0];
}
