import assert from 'node:assert/strict';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { randomBytes } from '../../src/database.ts';
import { drawKey } from '../../src/domain/keys.ts';
import { drainOrphans } from '../../src/redirect/recovery.ts';
import { openStorage } from '../../src/storage/open.ts';
import { startServer, temporaryFolder } from '../support.ts';
import { createDisk, type Disk, type FileChange } from './disk.ts';
import {
  type Ledger,
  type LedgerLink,
  type LinkState,
  newLedger,
  possibleClicks,
  possibleStates,
  prepare,
  startLoad,
} from './load.ts';
import { createRandom, effort, median, type Random, sleep, withSeed } from './random.ts';
import { startTraced, type Trace, whyNoTrace } from './trace.ts';
import { verifyFile } from './verify.ts';

const loadMs = 2_500;
const realStarts = 3;
const skip = whyNoTrace() ?? false;

/** What a server wrote, and what its clients were told meanwhile. */
interface Recording {
  readonly root: string;
  readonly trace: Trace;
  readonly ledger: Ledger;
  readonly env: Record<string, string>;
}

const record = async (random: Random, settings: Record<string, string>): Promise<Recording> => {
  const folder = temporaryFolder('power');
  const root = join(folder, 'data');
  mkdirSync(root);
  const { token } = drawKey(randomBytes);
  const env = { DATA_DIR: root, BOOTSTRAP_API_KEY: token, ...settings };
  const server = await startTraced(env, join(folder, 'strace.log'));
  const target = { port: server.port, token };
  const ledger = newLedger();
  await prepare(ledger, target);
  const load = startLoad({ ledger, random, target, writers: 3, clickers: 4 });
  await sleep(loadMs);
  await load.stop();
  const trace = await server.stop();
  rmSync(join(folder, 'strace.log'));
  assert.deepEqual([ledger.problems, load.broken], [[], []]);
  return { root, trace, ledger, env };
};

/** The moments worth cutting at: any, and more often around what makes things durable or takes them away. */
const cutsOf = ({ trace, root }: Recording, count: number, random: Random): number[] => {
  const hex = Buffer.from(root).toString('hex').replace(/../g, '\\x$&');
  const lines = (name: RegExp): number[] =>
    trace.calls.flatMap((call) => (name.test(call.name) ? [call.begins, call.ends - 1, call.ends] : []));
  const writes = lines(/^(pwrite64|ftruncate)$/);
  const syncs = lines(/^f(data)?sync$/);
  const names = trace.calls
    .filter(({ name, args }) => /^(openat|mkdir|unlink|rmdir|rename)$/.test(name) && args.includes(hex))
    .flatMap((call) => [call.begins - 1, call.ends]);
  const kinds = [writes, writes, syncs, syncs, names];
  const cuts = Array.from({ length: count }, (_, index) =>
    random.pick(kinds[index % kinds.length] ?? writes),
  );
  return cuts.filter((line) => line >= 0 && Number.isFinite(line)).sort((a, b) => a - b);
};

/** Clicks that the journals were given: by link, all of them and those that a sync had covered. */
const journalWatch = () => {
  const begun = new Map<string, number>();
  const safe = new Map<string, number>();
  const beganAt = new Map<FileChange, number>();
  const lagLines: (readonly [begun: number, safe: number])[] = [];
  return {
    begun,
    safe,
    lagLines,
    onChange(path: string, change: FileChange, what: 'begun' | 'safe', line: number): void {
      if (!path.endsWith('.jnl') || change.kind === 'size') return;
      if (what === 'begun') beganAt.set(change, line);
      else lagLines.push([beganAt.get(change) ?? line, line]);
      const sums = what === 'begun' ? begun : safe;
      for (const id of clicksIn(change.bytes)) sums.set(id, (sums.get(id) ?? 0) + 1);
    },
  };
};

/** The link ids in a write to a journal: a header of 32 bytes, or frames of 16 bytes and 24 for each record. */
const clicksIn = function* (bytes: Buffer): Generator<string> {
  let at = bytes.toString('latin1', 0, 4) === 'LKFJ' ? 32 : 0;
  while (at < bytes.length) {
    assert.equal(bytes.toString('latin1', at, at + 4), 'LKfr');
    const end = at + 16 + bytes.readUInt32LE(at + 8);
    for (at += 16; at < end; at += 24) yield bytes.toString('hex', at, at + 16);
  }
};

interface Found extends LinkState {
  readonly clicks: number;
}

/** Starts on what the cut left, as the service does, and reads what came back. */
const recover = async (dataDir: string, alarms: string[]): Promise<void> => {
  const storage = await openStorage(`sqlite:${join(dataDir, 'linkfold.db')}`);
  await drainOrphans({ dir: join(dataDir, 'clicks'), storage, onAlarm: (sentence) => alarms.push(sentence) });
  await storage.close();
};

const readLinks = (dataDir: string): Map<string, Found> => {
  const database = new DatabaseSync(join(dataDir, 'linkfold.db'), { readOnly: true });
  const rows = database
    .prepare(
      `SELECT lower(hex(l.id)) AS id, l.destination, l.title, lower(hex(l.folder_id)) AS folder, l.deleted_at AS deleted,
         COALESCE(k.total, 0) AS clicks
       FROM links l LEFT JOIN link_clicks k ON k.link_row = l.link_row`,
    )
    .all();
  database.close();
  return new Map(
    rows.map((row) => {
      const found: Found = {
        destination: String(row['destination']),
        title: row['title'] === null ? null : String(row['title']),
        folderId: row['folder'] === '' || row['folder'] === null ? null : String(row['folder']),
        deleted: row['deleted'] !== null,
        clicks: Number(row['clicks']),
      };
      return [String(row['id']), found];
    }),
  );
};

const bare = (id: string | null | undefined): string | null => id?.replaceAll('-', '') ?? null;

const sameState = (found: Found | undefined, state: LinkState | undefined): boolean => {
  if (found === undefined || state === undefined) return found === state;
  if (found.deleted !== state.deleted) return false;
  const { destination, title, folderId } = state;
  return found.destination === destination && found.title === title && found.folderId === bare(folderId);
};

interface Judged {
  readonly recording: Recording;
  /** Until when answers count as given: ms since the epoch. */
  readonly at: number;
  readonly strict: boolean;
  readonly watch: ReturnType<typeof journalWatch>;
}

/** Everything that is wrong with what came back. */
const losses = ({ recording, at, strict, watch }: Judged, links: ReadonlyMap<string, Found>): string[] =>
  recording.ledger.links.flatMap((link) => {
    const id = bare(link.id);
    const found = id === null ? undefined : links.get(id);
    const possible = possibleStates(link, at);
    if (!possible.some((state) => sameState(found, state)))
      return [`A change was lost: ${JSON.stringify({ found, possible, link: short(link) })}`];
    if (found === undefined || id === null) return [];
    const [acked] = possibleClicks(link, at);
    const least = strict ? Math.max(acked, watch.safe.get(id) ?? 0) : (watch.safe.get(id) ?? 0);
    const most = watch.begun.get(id) ?? 0;
    if (found.clicks < least) return [`Clicks were lost: ${found.clicks} of ${least}, ${short(link)}`];
    return found.clicks > most ? [`Clicks were doubled: ${found.clicks} of ${most}, ${short(link)}`] : [];
  });

const short = ({ id, code, changes }: LedgerLink): string => `${id} ${code} after ${changes.length} changes`;

interface Outcome {
  readonly cut: number;
  readonly losses: readonly string[];
}

/** Cuts the power at each line, in each way that is asked for, and judges what comes back. */
async function* cutPower(
  recording: Recording,
  cuts: readonly number[],
  ways: readonly (Random | undefined)[],
  { strict = false, reallyStart = 0 } = {},
): AsyncGenerator<Outcome> {
  const { trace, root, env } = recording;
  const watch = journalWatch();
  const disk: Disk = createDisk(trace, root, watch);
  const target = join(temporaryFolder('cut'), 'data');
  for (const [index, cut] of cuts.entries()) {
    disk.advance(cut);
    const at = trace.times[cut + 1] ?? Number.POSITIVE_INFINITY;
    for (const random of ways) {
      rmSync(target, { recursive: true, force: true });
      disk.rebuild(target, random);
      const alarms: string[] = [];
      if (index % Math.ceil(cuts.length / Math.max(1, reallyStart)) === 0 && reallyStart > 0) {
        const server = await startServer({ ...env, DATA_DIR: target }, target);
        assert.equal(await server.stop(), 0);
      } else {
        await recover(target, alarms);
      }
      verifyFile(target);
      // Unsynced bytes may be torn anywhere; that a click has lost its link is never all right.
      const serious = random === undefined ? alarms : alarms.filter((alarm) => alarm.includes('not know'));
      yield { cut, losses: [...serious, ...losses({ recording, at, strict, watch }, readLinks(target))] };
    }
  }
  lags(recording, watch.lagLines);
}

const lags = ({ trace }: Recording, lines: readonly (readonly [number, number])[]): number[] =>
  lines.map(([begun, safe]) => (trace.times[safe] ?? 0) - (trace.times[begun] ?? 0));

test('a power cut at any moment: no answered change is lost, no synced click, none twice', { skip }, (t) => {
  const { seed, count } = effort(60);
  return withSeed(t, { seed, count }, async () => {
    const random = createRandom(seed);
    const recording = await record(random, {});
    const cuts = cutsOf(recording, count, random);
    const ways = [undefined, random, random];
    for await (const { cut, losses: lost } of cutPower(recording, cuts, ways, { reallyStart: realStarts })) {
      assert.deepEqual(lost, [], `cut after line ${cut} of ${recording.trace.times.length}`);
    }
  });
});
