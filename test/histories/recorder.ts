// Sends requests and records them as operations in a history.
import { type Random, sleep } from '../support/random/random.ts';
import { type Answer, as, call } from '../support/server/server.ts';
import type { Operation } from './checker.ts';

export type Target = { readonly url: string };

export interface Recorded<In, Out> extends Operation<In, Out> {
  /** The node that handled the request, if a load balancer reports it. */
  readonly node: string | undefined;
}

export interface Plan {
  readonly random: Random;
  readonly key: string;
  /** Returns the servers to which a request may be sent. Called before each request, because nodes restart. */
  readonly targets: () => readonly Target[];
  /** Milliseconds after which a node must have seen a change that another node acknowledged. */
  readonly staleMs: number;
  /** Hosts of short links: the shared domain and a custom one. */
  readonly hosts: readonly [string, string];
  /** Clicks on a link that `link.clicked` reported, by the value of a dimension. */
  readonly receivedClicks: (linkId: string, dimension: string) => ReadonlyMap<string, number>;
}

/** A request, how to record it, and how to read its response. */
export interface Request<In, Out> {
  readonly key: string;
  readonly input: In;
  readonly send: (target: Target) => Promise<Answer>;
  /** Returns the output in a response, or undefined if no model allows the response. */
  readonly outputOf: (answer: Answer) => Out | undefined;
}

export type Recorder = ReturnType<typeof createRecorder>;

const reads: readonly unknown[] = ['follow', 'read', 'count'];
export function isRead(input: unknown): boolean {
  return reads.includes((input as { readonly do?: string }).do);
}

export const agents = {
  chrome:
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36',
  firefox: 'Mozilla/5.0 (X11; Linux x86_64; rv:131.0) Gecko/20100101 Firefox/131.0',
} as const;

const lostPauseMs = 100;
/**
 * Maximum number of writes per key whose outcome is unknown. Up to this number, the search is fast. Each additional
 * write doubles the search time.
 */
const maxLost = 6;

export function createRecorder(plan: Plan) {
  const { random, key, targets, hosts } = plan;
  /** Descriptions of responses that no model allows, such as 500. */
  const problems: string[] = [];
  const api = (target: Target) => as(target, key);
  const lost = new Map<string, number>();
  /** Returns true if no more writes should be sent for a key. */
  const isSpent = (on: string): boolean => (lost.get(on) ?? 0) >= maxLost;

  /** Follows a short link as a browser does. */
  const visit = (target: Target, path: string, headers: Record<string, string> = {}): Promise<Answer> =>
    call(target, 'GET', path, {
      headers: { 'user-agent': agents.chrome, 'x-forwarded-for': '192.0.2.1', host: hosts[0], ...headers },
    });

  /**
   * Sends a request before the history begins.
   * @throws if the request fails
   */
  const prepare = async (method: 'post' | 'delete', path: string, body?: object): Promise<Answer> => {
    const [target = { url: '' }] = targets();
    const answer = await api(target)[method](`/api/v1${path}`, body as never);
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return answer;
  };

  /**
   * Sends a request and adds it to a history, unless the request is known to have had no effect.
   * @returns the entry
   */
  const record = async <In, Out>(
    history: Recorded<In, Out>[],
    { key: on, input, send, outputOf }: Request<In, Out>,
  ): Promise<Recorded<In, Out> | undefined> => {
    const start = performance.now();
    const add = (output?: Out, node?: string) => {
      const operation = { key: on, input, output, node, start, end: performance.now() };
      history.push(operation);
      return operation;
    };
    const answer = await send(random.pick(targets())).catch((error: NodeJS.ErrnoException) => error);
    // True if no process was listening, or if HAProxy had no node available.
    const isUnsent =
      answer instanceof Error
        ? answer.code === 'ECONNREFUSED'
        : answer.status === 503 && answer.text.includes('No server is available');
    const isLost = answer instanceof Error || answer.status >= 502;
    if (isLost) await sleep(lostPauseMs);
    if (isUnsent) return undefined;
    if (isLost && !isRead(input)) lost.set(on, (lost.get(on) ?? 0) + 1);
    if (isLost) return add();
    const { status, text, json, headers } = answer;
    if (status === 429 || json?.error?.code === 'IDEMPOTENCY_IN_PROGRESS') return undefined;
    const output = outputOf(answer);
    if (output === undefined) problems.push(`${JSON.stringify(input)} ${status} ${text}`);
    return add(output, headers.get('x-node') ?? undefined);
  };
  return { plan, problems, api, visit, prepare, record, isSpent };
}

/**
 * How an operation affects the nodes' caches. An `other` operation reads the database, or is a write that might not
 * have changed anything.
 */
export type Role = 'read' | 'change' | 'other';

/**
 * Returns the history of one cached value as a node must see it. The node's own reads and changes keep their times;
 * everything else may take effect up to `staleMs` later. Reads on other nodes are left out.
 */
export function seenAt<In, Out>(
  node: string | undefined,
  history: readonly Recorded<In, Out>[],
  roleOf: (operation: Recorded<In, Out>) => Role,
  staleMs: number,
): Operation<In, Out>[] {
  return history.flatMap((operation) => {
    const role = roleOf(operation);
    if (role !== 'other' && operation.node === node && operation.output !== undefined) return [operation];
    return role === 'read' ? [] : [{ ...operation, end: operation.end + staleMs }];
  });
}

/** Returns the history of several cached values. Each read may take effect up to `ms` milliseconds before it starts. */
export function withStaleReads<In, Out>(
  history: readonly Recorded<In, Out>[],
  ms: number,
): Operation<In, Out>[] {
  return history.map((operation) =>
    isRead(operation.input) ? { ...operation, start: operation.start - ms } : operation,
  );
}
