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

/** What the operator is to be woken by: errors. */
export function alarmsOf(server: Pick<Server, 'output'>): readonly Line[] {
  return linesOf(server).filter(({ level }) => level >= 50);
}
