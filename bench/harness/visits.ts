import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Bench } from './bench.ts';
import { pinnedTo } from './process.ts';
import { codesOf, type Server } from './server.ts';
import { quantile } from './statistics.ts';
import { browserHeaders } from './wrk.ts';

/** How visitors connect. */
export interface Way {
  readonly overTls?: boolean;
  /** Number of open connections. */
  readonly connections: number;
  /** True to open a new connection for each visit. */
  readonly opens?: boolean;
  /** HTTP version. An HTTP/1.0 connection is closed after each response. */
  readonly version: '1.0' | '1.1';
  /** Visits per second, even if the server falls behind. If omitted, visits are sent as fast as possible. */
  readonly rate?: number;
  readonly seconds: number;
}

/** A load, passed as JSON to the process that generates it. */
export interface VisitTask extends Way {
  readonly port: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly codes: readonly string[];
}

/** Result of a load. */
export interface Visits {
  /** Start (on the clock of `monotonicMs`) and duration of each visit, in ms. */
  readonly samples: readonly (readonly [at: number, ms: number])[];
  readonly failed: number;
}

// Maximum number of codes. All codes together would be too long for a command-line argument.
const maxCodes = 5_000;

/**
 * Starts visits on the core for the load.
 * @returns a promise for the result, and a function that stops the visits early
 */
export function startVisits({ cores, trees }: Bench, server: Server, way: Way) {
  const task: VisitTask = {
    ...way,
    port: way.overTls ? server.tlsPort : server.port,
    headers: way.version === '1.0' ? { ...browserHeaders, Connection: 'close' } : browserHeaders,
    codes: codesOf({ trees }).slice(0, maxCodes),
  };
  const script = join(import.meta.dirname, 'open-visits.ts');
  const [command, args] = pinnedTo(cores.load, [process.execPath, script, JSON.stringify(task)]);
  const running = promisify(execFile)(command, args, { maxBuffer: Number.POSITIVE_INFINITY });
  const ended = running.then(({ stdout }): Visits => {
    server.emptyLog();
    return JSON.parse(stdout);
  });
  return {
    ended,
    stop(): Promise<Visits> {
      running.child.kill('SIGTERM');
      return ended;
    },
  };
}

/** Returns a quantile of the durations in ms. @param share 0 to 1 */
export function durationOf(samples: Visits['samples'], share: number): number {
  return quantile(
    samples.map(([, ms]) => ms),
    share,
  );
}
