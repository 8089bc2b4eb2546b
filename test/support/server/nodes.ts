import assert from 'node:assert/strict';
import type { Load } from '../load/load.ts';
import { until } from '../until.ts';
import { call, type Environment, type Server, startServer, temporaryFolder } from './server.ts';

/** Settings that keep the database from timing out on a busy machine. */
export const patient: Environment = { DATABASE_TIMEOUT: '60' };
/** Returns a database URL that allows extra time for connecting, which takes seconds on a busy machine. */
export function withConnectTimeout(database: string): string {
  const url = new URL(database);
  url.searchParams.set('connect_timeout', '60');
  return url.href;
}
/** Milliseconds after a change during which another node may still respond as before the change. */
export const staleForMs = 1_000;
const agreedWithinMs = 10_000;

/** Starts a real node that uses a shared database, but has its own data directory and journal. */
export function startNode(
  database: string,
  env: Environment = {},
  dataDir = temporaryFolder('node'),
): Promise<Server> {
  return startServer({ DATABASE_URL: database, ...env }, dataDir);
}

/** Starts several nodes at the same time. On an empty database, one of them migrates and the others wait. */
export function startNodes(count: number, database: string, env: Environment = {}): Promise<Server[]> {
  return Promise.all(Array.from({ length: count }, () => startNode(database, env)));
}

/** Restarts a node with the same port and journal. */
export function startAgain(node: Server, database: string, env: Environment = {}): Promise<Server> {
  return startNode(database, { ...env, PORT: String(node.port) }, node.dataDir);
}

export function stopAll(loads: readonly Load[]): Promise<unknown> {
  return Promise.all(loads.map((load) => load.stop()));
}

async function listOf(node: Server, key: string): Promise<string> {
  const seen: string[] = [];
  for (let page = 1; ; page += 1) {
    const { status, json } = await call(node, 'GET', `/api/v1/links?limit=100&page=${page}`, { key });
    assert.equal(status, 200);
    for (const { id, clicks } of json.data) seen.push(`${id} ${clicks}`);
    if (seen.length >= json.pagination.total || json.data.length === 0) return seen.join('\n');
  }
}

/**
 * Waits until all nodes report the same clicks. Each node adds the clicks that it has not applied yet, so all clicks
 * are applied once the nodes agree.
 */
export async function untilAgreed(nodes: readonly Server[], key: string): Promise<void> {
  const areSame = async (): Promise<boolean> =>
    new Set(await Promise.all(nodes.map((node) => listOf(node, key)))).size === 1;
  await until('all nodes report the same figures', areSame, { withinMs: agreedWithinMs, everyMs: 100 });
}
