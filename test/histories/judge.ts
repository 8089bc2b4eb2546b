// Records the history of one round of requests, checks it against every model, and compares the clicks.
import { sleep } from '../support/random/random.ts';
import { as } from '../support/server/server.ts';
import { until } from '../support/until.ts';
import { check, type Report } from './checker.ts';
import { compareClicks, dimensions, type Visits } from './clicks.ts';
import * as model from './models.ts';
import * as operations from './operations.ts';
import {
  createRecorder,
  isRead,
  type Plan,
  type Recorded,
  type Role,
  seenAt,
  withStaleReads,
} from './recorder.ts';

/** A violation that a round found. */
export interface Finding {
  /** The model that does not allow the history. */
  readonly model: string;
  readonly detail: string;
}

const patience = { withinMs: 60_000, everyMs: 200 };
/** If a process is killed while it sends a webhook request, another process sends it after a minute. */
const webhookPatience = { withinMs: 150_000, everyMs: 200 };

/**
 * Runs clients while `work` causes faults, and checks their histories.
 * @param clients number of clients that send requests at the same time
 */
export async function runRound(plan: Plan, clients: number, work: () => Promise<void>) {
  const recorder = createRecorder(plan);
  const { random, staleMs, hosts } = plan;
  const links = await operations.startLinks(recorder);
  const moved = await operations.startMoves(recorder);
  const folderSubject = await operations.startFolders(recorder);
  const external = operations.startExternalIds(recorder);
  const keys = operations.startKeys(recorder);
  const limits = operations.startLimits(recorder);
  // After this time, every node has the links that were just created.
  await sleep(staleMs);

  const act = (): Promise<unknown> => {
    const what = random.next();
    if (what < 0.35) return links.act();
    if (what < 0.6) return moved.act();
    if (what < 0.8) return folderSubject.act();
    if (what < 0.92) return external.act();
    return what < 0.96 ? keys.act() : limits.act();
  };
  let isOver = false;
  const loops = Array.from({ length: clients }, async () => {
    while (!isOver) {
      await act();
      await sleep(random.below(40));
    }
  });
  try {
    await work();
  } finally {
    isOver = true;
    await Promise.all(loops);
  }
  await links.restoreAll();

  const subjects = [links, moved, folderSubject, external, keys, limits];
  const all = subjects.flatMap(({ history }) => history as readonly Recorded<unknown, unknown>[]);
  const undecided: string[] = [];
  let finding: Finding | undefined;
  if (recorder.problems.length > 0)
    finding = { model: 'response', detail: recorder.problems.slice(0, 5).join('\n') };
  const judge = (name: string, report: Report): void => {
    if (report.verdict === 'undecided') undecided.push(`${name} ${report.key}`);
    if (report.verdict !== 'not linearizable') return;
    const detail = report.operations?.map((one) => JSON.stringify(one)).join('\n') ?? '';
    finding ??= { model: name, detail };
  };
  const nodes = new Set(links.history.map(({ node }) => node));
  // If the response was lost, the node that handled the request is unknown.
  if (nodes.size > 1) nodes.delete(undefined);
  for (const node of nodes) judge('link', check(model.link, seenAt(node, links.history, roleOf, staleMs)));
  judge('domain move', check(model.moves(hosts[0]), withStaleReads(moved.history, staleMs)));
  judge('folder', check(model.folders(folderSubject.folders, folderSubject.links), folderSubject.history));
  judge('externalId', check(model.externalId, external.history));
  judge('Idempotency-Key', check(model.idempotencyKey, keys.history));
  judge('maxClicks', check(model.clickLimit(operations.maxClicks), limits.history));
  finding ??= await judgeClicks(plan, links);

  for (const id of folderSubject.folders)
    await recorder.prepare('delete', `/folders/${id}`).catch(() => undefined);
  return {
    requests: all.length,
    unknown: all.filter(({ output }) => output === undefined).length,
    /** Keys for which the search took too many steps. Each starts with the name of its model. */
    undecided,
    finding,
  };
}

function roleOf({ input, output }: Recorded<model.LinkInput, model.LinkOutput>): Role {
  if (isRead(input)) return 'read';
  // Restoring a live link does not change the link.
  return output?.is === 'done' && input.do !== 'restore' ? 'change' : 'other';
}

/** Waits until each acknowledged redirect is counted and reported, and compares every dimension. */
async function judgeClicks({ targets, key, receivedClicks }: Plan, links: operations.Links) {
  const readCounted = async (id: string, visits: Visits, dimension: string) => {
    const [target = { url: '' }] = targets();
    const path = `/api/v1/links/${id}/stats?groupBy=${dimension}&limit=100`;
    const { status, json, text } = await as(target, key).get(path);
    if (status !== 200) return { lacks: [`${status} ${text}`], exceeds: [] };
    const values: { value: string; clicks: number }[] = json.data.breakdown.values;
    return compareClicks(visits, dimension, new Map(values.map(({ value, clicks }) => [value, clicks])));
  };
  const readReceived = async (id: string, visits: Visits, dimension: string) =>
    compareClicks(visits, dimension, receivedClicks(id, dimension));
  const sources = [
    { model: 'clicks', read: readCounted, patience },
    { model: 'link.clicked', read: readReceived, patience: webhookPatience },
  ];
  for (const source of sources) {
    for (const [code, visits] of links.visits) {
      for (const dimension of dimensions) {
        let detail: string[] = [];
        const isComplete = async (): Promise<boolean> => {
          const { lacks, exceeds } = await source.read(links.idOf(code), visits, dimension);
          detail = [...exceeds, ...lacks];
          return exceeds.length > 0 || lacks.length === 0;
        };
        await until('clicks are complete', isComplete, source.patience).catch(() => {});
        if (detail.length > 0) return { model: source.model, detail: `${code}: ${detail.join('; ')}` };
      }
    }
  }
  return undefined;
}
