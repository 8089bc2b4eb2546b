import { type Bench, linkfoldOn, type Tree, turned } from './bench.ts';
import type { Dataset } from './database.ts';
import { median, number, ratio, spread, spreadOf } from './figures.ts';
import type { Load, Requests } from './load.ts';
import { atMost, type Report, type Row } from './report.ts';
import { type Server, startServer } from './servers.ts';

const pageSize = 100;
const deepestPage = 1_000;
const wantedRatio = 2;
/** A deep page has more to pass over than a small account has links: it is held to a time. */
const wantedDeepMs = 5;
const seconds = 1;

interface List {
  readonly name: string;
  readonly queryFor: (dataset: Dataset) => string;
}

const deepPage: List = {
  name: 'deep page',
  queryFor: ({ links }) => `page=${Math.min(deepestPage, Math.floor(links / pageSize))}`,
};

const lists: readonly List[] = [
  { name: 'first page', queryFor: () => 'page=1' },
  deepPage,
  { name: 'one folder', queryFor: ({ folderId }) => `page=1&folderId=${folderId}` },
  { name: 'in no folder', queryFor: () => 'page=1&folderId=none' },
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

/** A list of 100 in a large account against the same in a small one. */
export const measureLists = async (bench: Bench): Promise<readonly Report[]> => {
  const reports: Report[] = [];
  for (const tree of bench.trees) reports.push(await measureTree(bench, tree));
  return reports;
};

const measureTree = async (bench: Bench, tree: Tree): Promise<Report> => {
  const { few, many, cores, options, load, tell } = bench;
  const sides: Side[] = [];
  for (const dataset of [few, many]) {
    const server = await startServer(await linkfoldOn(bench, tree, dataset), [cores.server]);
    sides.push({ dataset, server });
  }
  const cells = lists.flatMap((list) => sides.map((side) => cellOf(side, list)));
  for (const cell of cells) await check(cell);
  for (let round = 0; round <= options.pace.fewRounds; round += 1) {
    for (const cell of turned(cells, round)) {
      tell(`lists: round ${round} of ${options.pace.fewRounds}, ${cell.list.name}`);
      const measured = await load(cell.requests, { server: cell.side.server, connections: 1, seconds });
      if (round > 0) cell.loads.push(measured); // the first one warms up
    }
  }
  for (const { server } of sides) await server.stop();
  return reportOf(bench, tree, cells);
};

const cellOf = (side: Side, list: List): Cell => {
  const path = `/api/v1/links?limit=${pageSize}&${list.queryFor(side.dataset)}`;
  const headers = { Host: 'go.example.com', Authorization: `Bearer ${side.dataset.key}` };
  return { side, list, requests: { headers, paths: [path] }, loads: [] };
};

/** A page that is not full would be compared with one that is. */
const check = async ({ side, list, requests }: Cell): Promise<void> => {
  const { Authorization = '' } = requests.headers;
  const answer = await fetch(side.server.url + requests.paths[0], {
    headers: { authorization: Authorization },
  });
  const { data } = (await answer.json()) as { data?: unknown[] };
  if (data?.length !== pageSize)
    throw new Error(`The list "${list.name}" holds ${data?.length} links, not ${pageSize}.`);
};

const reportOf = ({ few, many }: Bench, tree: Tree, cells: readonly Cell[]): Report => {
  const rows = lists.map((list): Row => {
    const p50Of = (dataset: Dataset) =>
      spreadOf(
        cells
          .filter((cell) => cell.list === list && cell.side.dataset === dataset)
          .flatMap((cell) => cell.loads.map((load) => load.p50)),
      );
    const p99 = median(
      cells
        .filter((cell) => cell.list === list && cell.side.dataset === many)
        .flatMap((cell) => cell.loads.map((load) => load.p99)),
    );
    const [small, large] = [p50Of(few), p50Of(many)];
    const grown = large.median / small.median;
    const page = list.queryFor(many).split('&')[0]?.slice(5);
    return {
      name: `${list.name} (${page})`,
      cells: [spread(small), spread(large), number(p99), ratio(grown)],
      goal:
        list === deepPage ? atMost(wantedDeepMs, large.median, '5 ms') : atMost(wantedRatio, grown, '2.00'),
      figures: { small, large, p99, ratio: grown },
    };
  });
  const sizeOf = ({ links }: Dataset): string => links.toLocaleString('en');
  return {
    topic: `lists, ${tree.name}`,
    title: `${tree.name}: list of ${pageSize}, one connection`,
    columns: [`p50 ms at ${sizeOf(few)}`, `p50 ms at ${sizeOf(many)}`, 'p99 ms', 'ratio'],
    rows,
    notes: [
      `The deep page of ${sizeOf(few)} links is its last. A folder holds a tenth of the links, half are in none.`,
    ],
  };
};
