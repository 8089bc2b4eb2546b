import type { Server } from './server.ts';

/** A line in a server's log. */
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

/** Log message from a node that polls late, as happens on a busy machine. No data is lost in this case. */
const ofBusyMachine = 'Could not read the change log. Cached links still redirect. Linkfold will retry.';

/** Returns the errors that should alert the operator, except the one that a busy machine causes. */
export function alarmsOf(server: Pick<Server, 'output'>): readonly Line[] {
  return linesOf(server).filter(({ level, msg }) => level >= 50 && msg !== ofBusyMachine);
}
