import type { Server } from './server.ts';

/** A line of a server's log. */
export interface Line {
  readonly level: number;
  readonly msg: string;
  readonly worker?: number;
  readonly workerPid?: number;
  readonly [fact: string]: unknown;
}

export function linesOf(server: Pick<Server, 'output'>): readonly Line[] {
  return server
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Line);
}

/** A machine that has no time for a node delays what the node reads: the node says so, and nothing is lost. */
const ofBusyMachine = 'The log of changes cannot be read in time; links in memory lead on.';

/** What the operator is to be woken by: errors, but for the one that a busy machine makes. */
export function alarmsOf(server: Pick<Server, 'output'>): readonly Line[] {
  return linesOf(server).filter(({ level, msg }) => level >= 50 && msg !== ofBusyMachine);
}
