import { randomUUID } from 'node:crypto';
import { type Random, sleep } from '../support/random/random.ts';
import { as, call } from '../support/server/server.ts';
import { type Operation, staleFor } from './checker.ts';
import type { LinkInput, LinkOutput } from './models.ts';

export type Target = { readonly url: string };

/** Histories of one run, by model. */
export interface Histories {
  readonly links: Operation<LinkInput, LinkOutput>[];
  readonly limits: Operation<'visit', 'redirect' | 'refused'>[];
  readonly keys: Operation<'create', string>[];
  /** Redirects per unlimited link: answered, and those whose response was lost. */
  readonly visits: Map<string, { id: string; answered: number; unknown: number }>;
  /** Responses that no model allows, such as 500. */
  readonly problems: string[];
}

export interface Plan {
  readonly random: Random;
  readonly key: string;
  /** Where requests go; read before each one, because nodes restart. */
  readonly targets: () => readonly Target[];
  /** How stale redirects may be, ms. */
  readonly staleMs: number;
}

export const maxClicks = 40;
const agent = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/130.0.0.0 Safari/537.36';
const links = 6;
/** Requests that share one Idempotency-Key, about. */
const repeats = 4;

/** Starts clients that send random requests and record them. Call `stop` for what they recorded. */
export async function startClients(plan: Plan, clients: number) {
  const { random, key, targets, staleMs } = plan;
  const histories: Histories = { links: [], limits: [], keys: [], visits: new Map(), problems: [] };
  const revisions = new Map<string, number>();
  const run = randomUUID();
  let writes = 0;
  let isOver = false;

  const record = async <In, Out>(
    history: Operation<In, Out>[],
    on: string,
    input: In,
    send: (target: Target) => ReturnType<typeof call>,
    outputOf: (answer: Awaited<ReturnType<typeof call>>) => Out | undefined,
  ): Promise<Out | undefined> => {
    const start = performance.now();
    const add = (output?: Out): Out | undefined => {
      history.push({ key: on, input, output, start, end: performance.now() });
      return output;
    };
    try {
      const answer = await send(random.pick(targets()));
      if (answer.status === 429 || answer.json?.error?.code === 'IDEMPOTENCY_IN_PROGRESS') return undefined;
      // HAProxy's own 503: it had no node to send the request to.
      if (answer.status === 503 && answer.text.includes('No server is available')) {
        await sleep(20);
        return undefined;
      }
      if (answer.status >= 502) return add();
      const output = outputOf(answer);
      if (output === undefined)
        histories.problems.push(`${JSON.stringify(input)} ${answer.status} ${answer.text}`);
      return add(output);
    } catch (error) {
      // No process listened, so the request had no effect.
      if ((error as NodeJS.ErrnoException).code !== 'ECONNREFUSED') return add();
      await sleep(20);
      return undefined;
    }
  };

  const linkOutput = ({ status, headers }: Awaited<ReturnType<typeof call>>): LinkOutput | undefined => {
    const revision = Number(/^"(\d+)"$/.exec(headers.get('etag') ?? '')?.[1]);
    if (status === 200 || status === 201 || status === 204)
      return { is: 'done', ...(Number.isInteger(revision) && { revision }) };
    if (status === 302) return { is: 'redirect', url: headers.get('location') ?? '' };
    if (status === 404 || status === 410) return { is: 'absent' };
    return status === 412 ? { is: 'mismatch' } : undefined;
  };

  const follow = async (code: string): Promise<void> => {
    const visits = histories.visits.get(code);
    const one: Operation<LinkInput, LinkOutput>[] = [];
    const output = await record(one, code, { do: 'follow' }, (to) => call(to, 'GET', `/${code}`), linkOutput);
    if (one[0] !== undefined && output !== undefined) histories.links.push(staleFor(one[0], staleMs));
    if (visits === undefined || one[0] === undefined) return;
    if (output === undefined) visits.unknown += 1;
    else if (output.is === 'redirect') visits.answered += 1;
  };

  const write = async (code: string, input: LinkInput): Promise<void> => {
    const path = `/api/v1/links/${histories.visits.get(code)?.id}`;
    const output = await record(
      histories.links,
      code,
      input,
      (to) => {
        const api = as(to, key);
        if (input.do === 'delete') return api.delete(path);
        if (input.do !== 'change') return api.post(`${path}/restore`);
        const headers = input.ifMatch === undefined ? undefined : { 'if-match': `"${input.ifMatch}"` };
        return api.patch(`${path}/destination`, { url: input.url }, headers);
      },
      linkOutput,
    );
    if (output?.is === 'done' && output.revision !== undefined) revisions.set(code, output.revision);
  };

  const change = (code: string): Promise<void> => {
    writes += 1;
    const ifMatch = revisions.get(code);
    const url = `https://example.com/${writes}`;
    return write(code, {
      do: 'change',
      url,
      ...(ifMatch !== undefined && random.chance(0.5) && { ifMatch }),
    });
  };

  const visit = (code: string) =>
    record(
      histories.limits,
      code,
      'visit',
      (to) => call(to, 'GET', `/${code}`, { headers: { 'user-agent': agent } }),
      ({ status }) => (status === 302 ? 'redirect' : status === 410 ? 'refused' : undefined),
    );

  const createOnce = async (): Promise<unknown> => {
    writes += 1;
    const name = `${run}-${Math.floor(writes / repeats)}`;
    const headers = { 'idempotency-key': name };
    return record(
      histories.keys,
      name,
      'create',
      (to) => as(to, key).post('/api/v1/shorten', { url: `https://example.com/${name}` }, headers),
      ({ status, json }) => (status === 201 ? json.data.id : undefined),
    );
  };

  const create = async (body: object): Promise<{ id: string; shortCode: string }> => {
    const [target = { url: '' }] = targets();
    const { status, json, text } = await as(target, key).post('/api/v1/shorten', body);
    if (status !== 201) throw new Error(text);
    return json.data;
  };
  for (let n = 0; n < links; n += 1) {
    const start = performance.now();
    const { id, shortCode } = await create({ url: 'https://example.com/0' });
    histories.visits.set(shortCode, { id, answered: 0, unknown: 0 });
    const input: LinkInput = { do: 'create', url: 'https://example.com/0' };
    histories.links.push({ key: shortCode, input, output: { is: 'done' }, start, end: performance.now() });
  }
  const limited = (await create({ url: 'https://example.com/limited', maxClicks })).shortCode;
  // New links are on every node after that long.
  await sleep(staleMs);

  const loops = Array.from({ length: clients }, async () => {
    while (!isOver) {
      const code = random.pick([...histories.visits.keys()]);
      const what = random.next();
      if (what < 0.5) await follow(code);
      else if (what < 0.75) await change(code);
      else if (what < 0.82) await write(code, { do: 'delete' });
      else if (what < 0.9) await write(code, { do: 'restore' });
      else if (what < 0.93) await visit(limited);
      else await createOnce();
      await sleep(random.below(40));
    }
  });

  return async (): Promise<Histories> => {
    isOver = true;
    await Promise.all(loops);
    // A link is counted, and its clicks are read, while it is live.
    for (const code of histories.visits.keys()) await write(code, { do: 'restore' });
    for (let n = 0; n <= maxClicks; n += 1) await visit(limited);
    return histories;
  };
}
