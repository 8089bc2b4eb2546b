import { createHash } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { offsetOf, readSegment, segmentOfFile } from '../../src/clicks/journal/files/segment.ts';
import { unknownFacts } from '../../src/model/clicks/click-facts.ts';
import { readClicks } from '../../src/model/clicks/click-records.ts';
import { clickClasses } from '../../src/model/clicks/clicks.ts';
import type { Target } from '../../src/model/links/link-records.ts';
import { migrate } from '../../src/storage/migrations/migrate.ts';
import { connectionOn, sqliteDialect } from '../../src/storage/sqlite/connection.ts';
import { exclusivelyOn } from '../../src/storage/sqlite/migration.ts';
import { performWrite } from '../../src/storage/statements/writes.ts';
import { countedClicks } from '../support/load/verify.ts';
import { createRandom, type Random } from '../support/random/random.ts';
import { createSimulatedDisk } from './simulated-disk.ts';
import {
  type SimulatedDatabase,
  type SimulatedProcess,
  type Surroundings,
  startProcess,
} from './simulated-process.ts';
import { createTime } from './simulated-time.ts';

/** Result of a run. Equal seeds and steps produce equal hashes. */
export interface Outcome {
  readonly hash: string;
  /** All events, one per line. */
  readonly trace: readonly string[];
  /** The first guarantee that was broken. Undefined if there is none. */
  readonly violation: string | undefined;
  readonly facts: Facts;
}

export interface Facts {
  clicks: number;
  kills: number;
  powerCuts: number;
  starts: number;
  reads: number;
  /** Number of folds, each of which moved a slice of recent clicks. */
  folds: number;
  /** Number of clicks whose loss is allowed, because of a power cut or because an alarm reported it. */
  lost: number;
}

interface Click {
  readonly by: SimulatedProcess;
  state: 'open' | 'acked' | 'refused';
  ackedAt: number;
  /** True if the event loop tick in which the click arrived has ended. */
  turned: boolean;
  mayBeLost: boolean;
}

interface SimulatedLink {
  readonly id: string;
  readonly code: string;
  readonly row: number;
  /** Number of clicks that are known for certain. `clicks` contains only later clicks. */
  base: number;
  clicks: Click[];
}

/** A read that adds unapplied clicks to a count some time after storage returned the count. */
interface SlowRead {
  readonly by: SimulatedProcess;
  readonly link: SimulatedLink;
  readonly clicks: number;
  readonly appliedTo: number;
  readonly atLeast: number;
  readonly applied: number;
}

const linkCount = 4;
const slots = 2;
const settleEvery = 250;
/**
 * A power cut must not lose clicks that are older than this many milliseconds. This is 40 ms between syncs, plus time
 * for timers and for the syncs of some segments.
 */
const exposedMs = 100;
/** Maximum number of batches that may be applied during a read. The applier retains only that many (applier.ts). */
const rememberedBatches = 8;
const startOfTime = Date.UTC(2030, 5, 1, 12, 59, 59, 900);

function uuidOf(number: number): string {
  return `01900000-0000-7000-8000-${number.toString(16).padStart(12, '0')}`;
}

/**
 * Returns a step's random generator. It depends only on the seed and the step, so that omitting a step does not change
 * the others.
 */
function randomOf(seed: number, step: number): Random {
  return createRandom((Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(step + 1, 0xc2b2ae35)) >>> 0);
}

/**
 * Runs the journal, the applier, recovery and storage in one thread with a seeded disk, clock and scheduler. Several
 * processes use the same folder, both one after the other and at the same time. Checks every guarantee about clicks
 * against the responses to visitors (RELIABILITY §5.3, I2).
 */
export async function simulate(seed: number, steps: readonly number[]): Promise<Outcome> {
  const world = await createWorld(seed);
  for (const step of steps) {
    if (world.violation() !== undefined) break;
    await world.step(step);
  }
  await world.settle('stop');
  return world.outcome();
}

async function createWorld(seed: number) {
  let random = randomOf(seed, -1);
  const hash = createHash('sha256');
  const trace: string[] = [];
  let violation: string | undefined;
  const facts: Facts = {
    clicks: 0,
    kills: 0,
    powerCuts: 0,
    starts: 0,
    reads: 0,
    folds: 0,
    lost: 0,
  };
  const time = createTime();
  let wallOffset = startOfTime;

  const note = (line: string): void => {
    trace.push(line);
    hash.update(line).update('\n');
  };
  const violate = (sentence: string): void => {
    if (violation === undefined) note(`VIOLATION: ${sentence}`);
    violation ??= sentence;
  };
  const expect = (holds: boolean, sentence: () => string): void => {
    if (!holds) violate(sentence());
  };

  const database = await openDatabase(violate);
  const offsetIn = database.offsetIn;
  const disk = createSimulatedDisk({
    random: () => random,
    time,
    note,
    beforeUnlink(path, bytes) {
      const [, , journal = '', name = ''] = path.split('/');
      const segment = segmentOfFile(name);
      if (segment === undefined) return;
      for (const piece of readSegment(Buffer.from(bytes), { journal, segment, last: true })) {
        if (piece?.kind !== 'frame') continue;
        const applied = offsetIn(journal);
        expect(offsetOf(segment, piece.end) <= applied, () => `${path} is removed before it is applied.`);
      }
    },
  });

  let processes: SimulatedProcess[] = [];
  const dying: (() => Promise<void>)[] = [];
  let lastProcess = 0;
  /** Number of clicks that servers reported as at risk when they ended. */
  let riskTold = 0;
  let alarms = 0;
  let wasCut = false;
  const slowReads: SlowRead[] = [];
  const views = new Map<SimulatedProcess, Map<SimulatedLink, number>>();

  const around: Surroundings = {
    disk,
    database,
    time,
    note,
    random: () => random,
    durability: (['default', 'strict', 'relaxed'] as const)[seed % 3] ?? 'default',
    segmentBytes: random.pick([120, 300, 1_000, 16_777_216]),
    retryBytes: random.pick([50, 100, 2_000, 4_194_304]),
    intervalMs: random.pick([10, 40, 400, 2_000]),
    maxSums: random.pick([1, 3, 4_096]),
    sumsPerSlice: random.pick([1, 3, 250]),
    onDeath: (process) => die(process),
    onFault: violate,
    onError(sentence) {
      alarms += 1;
      const isExpected = wasCut || disk.untidy || !sentence.includes('damaged');
      expect(isExpected, () => `Without a power cut: ${sentence}`);
    },
  };
  const { durability } = around;

  const everyClick = () => links.flatMap(({ clicks }) => clicks);

  const die = (process: SimulatedProcess): void => {
    process.alive = false;
    process.state = 'gone';
    process.diedAt = time.now();
    const { clicksAtRisk = 0 } = process.journal?.health() ?? {};
    riskTold += clicksAtRisk;
    note(`${process.name} is gone, ${clicksAtRisk} at risk`);
    for (const click of everyClick()) {
      // With relaxed durability, the visitor was redirected before the click was written, so the click may be lost.
      if (click.by === process && durability === 'relaxed' && !click.turned) click.mayBeLost = true;
    }
    time.drop(process);
    disk.abandon(process);
    processes = processes.filter((one) => one !== process);
    if (process.lastCommits !== undefined) dying.push(process.lastCommits);
  };

  const kill = (process: SimulatedProcess): void => {
    facts.kills += 1;
    die(process);
  };

  const cutPower = async (): Promise<void> => {
    facts.powerCuts += 1;
    wasCut = true;
    note('the power is cut');
    for (const process of processes) die(process);
    await bury();
    const left = new Set(disk.names('/clicks'));
    for (const click of everyClick()) {
      const { by, ackedAt } = click;
      const exposed = ackedAt > Math.min(by.diedAt, time.now()) - exposedMs;
      if (durability !== 'strict' && exposed && left.has(by.journal.id)) click.mayBeLost = true;
    }
    disk.cutPower();
  };

  const bury = async (): Promise<void> => {
    for (const commits of dying.splice(0)) await commits();
  };

  const start = (): void => {
    lastProcess += 1;
    const name = `p${lastProcess}`;
    note(`${name} starts`);
    try {
      const process = startProcess(name, uuidOf(0xf000 + lastProcess), around);
      process.isAlone = processes.length === 0;
      for (const other of processes) other.isAlone = false;
      processes.push(process);
      views.set(process, new Map());
      facts.starts += 1;
    } catch (error) {
      note(`${name} cannot start: ${error}`);
    }
  };

  const running = () => processes.filter(({ state }) => state === 'running');

  const click = (process: SimulatedProcess, link: SimulatedLink): void => {
    const target = process.reads.findTarget(link.code) as Target | undefined;
    if (target === undefined) return;
    facts.clicks += 1;
    const one: Click = {
      by: process,
      state: 'open',
      ackedAt: Number.POSITIVE_INFINITY,
      turned: false,
      mayBeLost: false,
    };
    link.clicks.push(one);
    process.journal.append(
      target,
      wallOffset + time.now(),
      { ...unknownFacts(random.below(clickClasses.length)), utmTerm: String(facts.clicks) },
      (recorded) => {
        if (!process.alive) return;
        expect(one.state === 'open', () => 'A visitor was answered twice.');
        one.state = recorded ? 'acked' : 'refused';
        one.ackedAt = time.now();
      },
    );
  };

  const isCounted = (one: Click): boolean =>
    one.state === 'acked' && !(durability === 'relaxed' && !one.turned);
  const countOf = (link: SimulatedLink, is: (one: Click) => boolean): number =>
    link.base + link.clicks.filter(is).length;
  const maxOf = (link: SimulatedLink): number =>
    countOf(link, ({ state }) => state !== 'refused' || wasCut || disk.untidy);

  const checkView = (process: SimulatedProcess, link: SimulatedLink, view: number, atLeast: number): void => {
    note(`${process.name} sees ${view} clicks of ${link.code}`);
    facts.reads += 1;
    expect(
      view >= atLeast,
      () => `${process.name} sees ${view} clicks of ${link.code}, not ${atLeast} or more.`,
    );
    expect(
      view <= maxOf(link),
      () => `${process.name} sees ${view} clicks of ${link.code}; there were ${maxOf(link)} at most.`,
    );
  };

  const leastOf = (process: SimulatedProcess, link: SimulatedLink): number => {
    const own = countOf(link, (one) => one.by === process && isCounted(one));
    // A process that never ran alongside another has recovered all earlier processes' journals.
    const all = countOf(link, (one) => isCounted(one) && !one.mayBeLost);
    return process.isAlone && process.hasRecovered ? Math.max(own, all - riskTold) : own;
  };

  const linkOf = async (process: SimulatedProcess, link: SimulatedLink) => process.reads.link(1, link.id);

  const read = async (process: SimulatedProcess, link: SimulatedLink): Promise<void> => {
    const found = await linkOf(process, link);
    if (found === undefined) return;
    const view = found.link.clicks + process.applier.unapplied.of(link.row, found.appliedTo);
    checkView(process, link, view, leastOf(process, link));
    const seen = views.get(process);
    const before = seen?.get(link) ?? 0;
    expect(view >= before, () => `${process.name} saw ${before} clicks of ${link.code}, and now ${view}.`);
    seen?.set(link, view);
  };

  const beginSlowRead = async (process: SimulatedProcess, link: SimulatedLink): Promise<void> => {
    const found = await linkOf(process, link);
    if (found === undefined) return;
    const { applied } = process;
    const atLeast = countOf(link, (one) => one.by === process && isCounted(one));
    slowReads.push({
      by: process,
      link,
      applied,
      atLeast,
      clicks: found.link.clicks,
      appliedTo: found.appliedTo,
    });
  };

  const endSlowReads = (): void => {
    for (const { by, link, clicks, appliedTo, applied, atLeast } of slowReads.splice(0)) {
      if (!by.alive || by.applied - applied > rememberedBatches) continue;
      checkView(by, link, clicks + by.applier.unapplied.of(link.row, appliedTo), atLeast);
    }
  };

  const run = async (task: {
    readonly owner: object;
    readonly name: string;
    readonly run: () => unknown;
  }) => {
    note(`${(task.owner as SimulatedProcess).name}: ${task.name}`);
    if (task.name === 'turn') {
      // This task writes all clicks that the process appended before it.
      const clicks = everyClick().filter(({ by, turned }) => by === task.owner && !turned);
      await task.run();
      if ((task.owner as SimulatedProcess).alive) for (const one of clicks) one.turned = true;
    } else await task.run();
  };

  /** Runs everything that is due now, including the last commits of dead processes. */
  const rest = async (): Promise<void> => {
    await new Promise((resolve) => setImmediate(resolve));
    await bury();
  };

  const event = async (): Promise<void> => {
    const kind = random.below(1_000);
    const process = running().length > 0 ? random.pick(running()) : undefined;
    const link = random.pick(links);
    if (process === undefined && processes.length === 0 && kind < 700) return start();
    if (kind < 420) {
      const clicks = random.chance(0.05) ? random.below(60) : 1;
      note(`${process?.name} ${clicks} × ${link.code}`);
      for (let made = 0; made < clicks && process !== undefined; made += 1) click(process, link);
    } else if (kind < 640) {
      const task = time.take(random);
      if (task !== undefined) await run(task);
      else time.advance(10);
    } else if (kind < 740) {
      time.advance(random.below(12));
    } else if (kind < 850) {
      if (process !== undefined) await read(process, link);
    } else if (kind < 870) {
      if (process !== undefined) await beginSlowRead(process, link);
    } else if (kind < 880) {
      endSlowReads();
    } else if (kind < 910) {
      const name = random.pick(['deleteLink', 'restoreLink'] as const);
      note(`${name} ${link.code}`);
      // Restoring a live link fails, which is ignored.
      await database.transact({ name, args: [1, link.id, startOfTime] }).catch(() => {});
    } else if (kind < 920) {
      wallOffset += random.pick([-3_600_000, -10_000, 0, 7_200_000]);
    } else if (kind < 936) {
      disk.full = random.chance(0.3);
      note(`full: ${disk.full}`);
    } else if (kind < 950) {
      disk.failing = random.pick(['nothing', 'nothing', 'syncs', 'everything']);
      note(`failing: ${disk.failing}`);
    } else if (kind < 962) {
      database.trouble = random.pick(['none', 'none', 'failing', 'losing answers']);
      note(`database: ${database.trouble}`);
    } else if (kind < 980) {
      if (processes.length < slots) start();
    } else if (kind < 984) {
      process?.stop();
    } else if (kind < 988) {
      if (processes.length > 0) kill(random.pick(processes));
    } else if (kind < 996) {
      if (processes.length > 0) random.pick(processes).fuse = 1 + random.below(12);
    } else {
      await cutPower();
    }
  };

  /** Runs tasks until none is left or `isEnough` returns true. */
  const runUntil = async (isEnough: () => boolean): Promise<void> => {
    for (let left = 20_000; !isEnough() && left > 0; left -= 1) {
      const task = time.takeNext();
      if (task === undefined) return;
      await run(task);
      await rest();
    }
  };

  const settle = async (how: 'live' | 'stop' | 'kill' | 'power'): Promise<void> => {
    note(`--- ${how}`);
    disk.full = false;
    disk.failing = 'nothing';
    database.trouble = 'none';
    for (const process of processes) process.fuse = undefined;
    endSlowReads();
    if (how === 'stop') for (const process of running()) process.stop();
    if (how === 'kill') for (const process of processes) kill(process);
    if (how === 'power') await cutPower();
    await rest();
    await runUntil(() => processes.every(({ state }) => state === 'running'));
    if (how === 'stop') {
      for (const process of running()) process.stop();
      await rest();
      await runUntil(() => processes.length === 0);
      expect(processes.length === 0, () => 'A process does not stop.');
    }
    if (processes.length === 0) start();
    await rest();
    await runUntil(() => processes.every(({ state }) => state === 'running'));
    expect(running().length === processes.length && processes.length > 0, () => 'A process does not start.');
    // Waits longer than the sum of the longest pause after faults and the time until the next check for orphaned
    // journals.
    const patience = time.now() + 25 * (around.intervalMs + 10);
    await runUntil(() => time.now() > patience);
    await checkEverything();
  };

  const recorded = new Map<number, number>();
  const terms = new Set<string>();
  /**
   * Asserts that the records of individual clicks match the counts and that none occurs twice. Then removes the
   * records, as folding does.
   */
  const checkRecords = (): void => {
    for (const { layout, clicks, records } of database.all('SELECT * FROM click_batches')) {
      const bytes = Uint8Array.from(records as Uint8Array);
      readClicks({ layout: Number(layout), clicks: Number(clicks), bytes }, ({ row, utmTerm }) => {
        recorded.set(row, (recorded.get(row) ?? 0) + 1);
        expect(!terms.has(utmTerm), () => `Click ${utmTerm} is kept twice.`);
        terms.add(utmTerm);
      });
    }
    database.database.exec('DELETE FROM click_batches');
    for (const { row, code } of links) {
      const [kept, counted] = [recorded.get(row) ?? 0, database.totalOf(row)];
      expect(kept === counted, () => `${kept} clicks of ${code} are kept, and ${counted} are counted.`);
    }
  };

  const checkEverything = async (): Promise<void> => {
    const owned = new Set(processes.map(({ journal }) => journal.id));
    const left = disk.names('/clicks').filter((name) => name !== 'quarantine' && !owned.has(name));
    expect(left.length === 0, () => `No process drains ${left}.`);
    const remembered = database.all('SELECT id FROM click_journals').map(({ id }) => String(id));
    expect(
      remembered.every((id) => owned.has(id)),
      () => `Positions are kept of ${remembered}.`,
    );
    for (const process of processes) {
      const health = process.journal.health();
      const isWell = health.ok && health.clicksAtRisk === 0 && !process.journal.hasPending();
      expect(isWell, () => `${process.name} is not well: ${JSON.stringify(health)}`);
    }
    checkRecords();
    let missing = 0;
    for (const link of links) {
      const clicks = database.totalOf(link.row);
      const open = link.clicks.filter(({ by, state }) => by.alive && state === 'open').length;
      expect(open === 0, () => `${open} visitors of ${link.code} wait for ever.`);
      expect(
        clicks <= maxOf(link),
        () => `${clicks} clicks of ${link.code}; there were ${maxOf(link)} at most.`,
      );
      missing += Math.max(0, countOf(link, (one) => one.state === 'acked' && !one.mayBeLost) - clicks);
      facts.lost += Math.max(0, countOf(link, (one) => one.state === 'acked') - clicks);
      for (const process of processes) await read(process, link);
    }
    expect(
      missing <= riskTold,
      () => `${missing} answered clicks are lost; ${riskTold} were said to be at risk.`,
    );
    expect(missing === 0 || alarms > 0, () => `${missing} clicks were dropped silently.`);
    for (const link of links) {
      link.base = database.totalOf(link.row);
      // Clicks that were removed by truncating a file may reappear while that file exists.
      link.clicks = link.clicks.filter(({ by, state }) => by.alive && state === 'refused');
      for (const process of processes) {
        const found = await linkOf(process, link);
        const view = found && found.link.clicks + process.applier.unapplied.of(link.row, found.appliedTo);
        expect(
          view === undefined || view === link.base,
          () => `${process.name} sees ${view}, not ${link.base}.`,
        );
      }
    }
    riskTold = 0;
    alarms = 0;
    wasCut = false;
    disk.untidy &&= everyClick().length > 0;
  };

  const links: SimulatedLink[] = [];
  await database.transact({ name: 'createAccount', args: ['a', startOfTime] });
  for (let index = 0; index < linkCount; index += 1) {
    const [id, code] = [uuidOf(index + 1), `code-${index}`];
    const texts = { destination: 'https://example.com/', location: 'https://example.com/', title: null };
    const rest = { description: null, expiresAt: null, folderId: null, createdAt: startOfTime };
    await database.transact({ name: 'createLink', args: [1, { id, codes: [code], ...texts, ...rest }] });
    links.push({ id, code, row: database.rowOf(code), base: 0, clicks: [] });
  }

  return {
    violation: () => violation,
    async step(number: number) {
      random = randomOf(seed, number);
      note(`# ${number} at ${time.now()}`);
      const late = time.take(undefined);
      if (late !== undefined) await run(late);
      else await event();
      await rest();
      time.advance(random.below(2));
      if (number % settleEvery === settleEvery - 1) {
        await settle(random.pick(['live', 'stop', 'kill', 'power']));
      }
    },
    settle: async (how: 'stop') => {
      if (violation === undefined) await settle(how);
    },
    outcome: (): Outcome => {
      facts.folds = database.folds;
      database.close();
      return { hash: hash.digest('hex'), trace, violation, facts };
    },
  };
}

/** Opens a database in memory with the real schema and statements. It survives the end of processes and power cuts. */
async function openDatabase(violate: (sentence: string) => void) {
  const file = new DatabaseSync(':memory:');
  const connection = connectionOn(file);
  await migrate(connection, sqliteDialect, exclusivelyOn(connection));
  const forgotten = new Set<string>();
  const all = (sql: string) => connection.all<Record<string, unknown>>(sql, []);
  const offsetIn = (journal: string): number =>
    connection.get<{ at: number }>('SELECT applied_to AS at FROM click_journals WHERE id = ?', [journal])
      ?.at ?? 0;
  const database: SimulatedDatabase & { trouble: SimulatedDatabase['trouble']; folds: number } = {
    database: file,
    trouble: 'none',
    folds: 0,
    async transact(write) {
      const [journal] = write.args.map((arg) =>
        typeof arg === 'string' ? arg : (arg as { journal?: string })?.journal,
      );
      const before = offsetIn(journal ?? '');
      file.exec('BEGIN IMMEDIATE');
      try {
        const { value } = await performWrite(connection, write);
        file.exec('COMMIT');
        if (write.name === 'rollUpClicks' && value !== undefined) database.folds += 1;
        if (write.name === 'deleteJournal') forgotten.add(journal ?? '');
        if (write.name === 'applyClicks') {
          const after = offsetIn(journal ?? '');
          const moved = value === true ? after > before : after === before;
          if (!moved) violate(`The offset in ${journal} went from ${before} to ${after}.`);
          if (value === true && forgotten.has(journal ?? ''))
            violate(`${journal} is applied after it was forgotten.`);
        }
        return value;
      } catch (error) {
        file.exec('ROLLBACK');
        throw error;
      }
    },
  };
  return Object.assign(database, {
    all,
    offsetIn,
    rowOf: (code: string) =>
      connection.get<{ row: number }>('SELECT link_row AS row FROM codes WHERE key = ?', [code])?.row ?? 0,
    totalOf: (row: number) =>
      connection.get<{ total: number }>(
        `SELECT SUM(clicks) AS total FROM ${countedClicks} WHERE link_row = ?`,
        [row],
      )?.total ?? 0,
    close: () => file.close(),
  });
}
