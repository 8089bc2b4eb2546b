import type { Dataset } from '../measuring/database.ts';
import { median, number, ratio, spread, spreadOf } from '../measuring/figures.ts';
import type { Load, Requests } from '../measuring/load.ts';
import { ms, plainGoal, type Report, type Row } from '../measuring/report.ts';
import { type Server, startServer } from '../measuring/servers.ts';
import { type Bench, firstTree, linkfoldOn, type Tree, turned } from './bench.ts';

const pageSize = 100;
const deepestPage = 1_000;
const seconds = 1;

interface List {
  readonly name: string;
  readonly queryFor: (dataset: Dataset) => string;
  /** Links that the list has in all its pages. */
  readonly totalOf: (links: number) => number;
  /** Most p50 in the large account, ms. */
  readonly wantedMs?: number;
}

function all(links: number): number {
  return links;
}

const lists: readonly List[] = [
  { name: 'first page', queryFor: () => 'page=1', totalOf: all, wantedMs: 1.5 },
  {
    name: 'deep page',
    queryFor: ({ links }) => `page=${Math.min(deepestPage, Math.floor(links / pageSize))}`,
    totalOf: all,
    wantedMs: 5,
  },
  {
    name: 'one folder',
    queryFor: ({ folderId }) => `page=1&folderId=${folderId}`,
    totalOf: (links) => links / 10,
  },
  { name: 'in no folder', queryFor: () => 'page=1&folderId=none', totalOf: (links) => links / 2 },
];

interface Side {
  readonly dataset: Dataset;
  readonly server: Server;
}

interface Cell {
  readonly side: Side;
  readonly list: List;
  readonly requests: Requests;
  readonly loads: Load[];
}

/** A list of 100 in a large account, and the same in a small one. */
export async function measureLists(bench: Bench): Promise<readonly Report[]> {
  const { cores, options, load, trees } = bench;
  const sides: Side[] = [];
  for (const tree of trees) {
    for (const dataset of [tree.few, tree.many]) {
      const server = await startServer(await linkfoldOn(bench, tree, { dataset }), [cores.server]);
      sides.push({ dataset, server });
    }
  }
  const cells = lists.flatMap((list) => sides.map((side) => cellOf(side, list)));
  for (const cell of cells) await check(cell);
  const step = bench.steps('lists', cells.length * (options.pace.fewRounds + 1));
  for (let round = 0; round <= options.pace.fewRounds; round += 1) {
    for (const cell of turned(cells, round)) {
      step(`round ${round} of ${options.pace.fewRounds}, ${cell.list.name}`);
      const measured = await load(cell.requests, { server: cell.side.server, connections: 1, seconds });
      if (round > 0) cell.loads.push(measured); // the first one warms up
    }
  }
  for (const { server } of sides) await server.stop();
  return trees.map((tree) => reportOf(bench, tree, cells));
}

function cellOf(side: Side, list: List): Cell {
  const path = `/api/v1/links?limit=${pageSize}&${list.queryFor(side.dataset)}`;
  const headers = { Host: 'go.example.com', Authorization: `Bearer ${side.dataset.key}` };
  return { side, list, requests: { headers, paths: [path] }, loads: [] };
}

/** A page that is not full, or a total that is not exact, would be compared with one that is. */
async function check({ side, list, requests }: Cell): Promise<void> {
  const { Authorization = '' } = requests.headers;
  const answer = await fetch(side.server.url + requests.paths[0], {
    headers: { authorization: Authorization },
  });
  const { data, pagination } = (await answer.json()) as { data?: unknown[]; pagination?: { total: number } };
  if (data?.length !== pageSize)
    throw new Error(`The list "${list.name}" holds ${data?.length} links, not ${pageSize}.`);
  const total = list.totalOf(side.dataset.links);
  if (pagination?.total !== total)
    throw new Error(`The list "${list.name}" says ${pagination?.total} links in all, not ${total}.`);
}

function reportOf(bench: Bench, tree: Tree, cells: readonly Cell[]): Report {
  const { few, many } = tree;
  const p50sOf = (list: List, dataset: Dataset): readonly number[] =>
    cells
      .filter((cell) => cell.list === list && cell.side.dataset === dataset)
      .flatMap((cell) => cell.loads.map((load) => load.p50));
  const rows = lists.map((list): Row => {
    const [small, large] = [spreadOf(p50sOf(list, few)), spreadOf(p50sOf(list, many))];
    const p99 = median(
      cells
        .filter((cell) => cell.list === list && cell.side.dataset === many)
        .flatMap((cell) => cell.loads.map((load) => load.p99)),
    );
    const grown = large.median / small.median;
    const page = list.queryFor(many).split('&')[0]?.slice(5);
    const what = `list of ${pageSize}, ${list.name} (${page}), p50`;
    const measured = { what, ours: ms(large.median), beside: `${sizeOf(few)} links ${ms(small.median)}` };
    return {
      name: `${list.name} (${page})`,
      cells: [spread(small), spread(large), number(p99), ratio(grown)],
      goals:
        list.wantedMs === undefined || tree !== firstTree(bench)
          ? []
          : [plainGoal(measured, large.median, ['≤', list.wantedMs], 'ms')],
      figures: { small, large, p99, ratio: grown },
    };
  });
  return {
    topic: `lists, ${tree.name}`,
    title: `${tree.name}: list of ${pageSize}, one connection`,
    columns: [`p50 ms at ${sizeOf(few)}`, `p50 ms at ${sizeOf(many)}`, 'p99 ms', 'ratio'],
    rows,
    notes: [
      `Every list named the exact total. The deep page of ${sizeOf(few)} links is its last. A folder holds a tenth of the links, half are in none.`,
    ],
    compared: lists.map((list) => ({
      tree: tree.name,
      what: `list, ${list.name}: p50`,
      better: 'less',
      rounds: p50sOf(list, many),
    })),
  };
}

function sizeOf({ links }: Dataset): string {
  return links.toLocaleString('en');
}
