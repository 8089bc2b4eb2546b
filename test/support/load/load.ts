import { Agent } from 'node:http';
import { type Answer, ask } from '../http/ask.ts';
import { type Random, sleep } from '../random/random.ts';

/** The state of a link that its owner can read. */
export interface LinkState {
  readonly destination: string;
  readonly title: string | null;
  readonly folderId: string | null;
  readonly deleted: boolean;
}

/** Host in the visitors' `Referer` header. Each visit has the link's code in `utm_source`. */
export const visitorsSite = 'visitors.example';
const visitorsHeaders = {
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  referer: `https://${visitorsSite}/page`,
};

/**
 * A change to a link: its result, the time when it was sent, and the time when its response arrived. `ackedAt` is
 * `Infinity` if there was no response.
 */
export interface Change {
  readonly after: LinkState;
  readonly sentAt: number;
  ackedAt: number;
}

export interface Visit {
  readonly sentAt: number;
  ackedAt: number;
}

export interface LedgerLink {
  /** ID of the link. Undefined until the creation is acknowledged; so is `code` if it is generated. */
  id: string | undefined;
  code: string | undefined;
  /**
   * Changes in order, starting with the creation. Only one writer changes the link, and it waits for each response
   * before the next change.
   */
  changes: Change[];
  /** Visits to the short URL since the last check of `clicks`. */
  visits: Visit[];
  /** Number of clicks found by the last check. */
  clicks: number;
}

/**
 * Everything that clients observed, which is the only input to a check. Times are milliseconds since the epoch, rounded
 * up where necessary.
 */
export interface Ledger {
  readonly links: LedgerLink[];
  readonly folders: string[];
  /** Descriptions of responses that must never occur. */
  readonly problems: string[];
}

export interface Target {
  readonly port: number;
  readonly token: string;
}

export interface LoadOptions {
  readonly ledger: Ledger;
  readonly random: Random;
  readonly target: Target;
  readonly writers: number;
  readonly clickers: number;
  /**
   * Returns true if storage may currently reject writes (503). The outcome of rejected writes is unknown, and writers
   * continue.
   */
  readonly mayRefuse?: () => boolean;
  /** True if visits may be rejected, too, because lookups fail. */
  readonly mayRefuseVisits?: boolean;
  /** Time in ms after a link's creation during which another node may not know the link. */
  readonly staleForMs?: number;
  /** True if connections may break while the server keeps running. The outcome of the affected requests is unknown. */
  readonly mayBreak?: boolean;
  /** Number of requests that each writer and clicker sends before the load ends. */
  readonly each?: number;
}

export interface Load {
  /** Returns the number of writes that storage has rejected. */
  refused(): number;
  /** Resolves once the load has ended without a call to `stop`. */
  readonly ended: Promise<unknown>;
  /** Stops sending requests, and waits for pending responses. */
  stop(): Promise<void>;
  /** For each request without a response, the error code and whether the connection was new. */
  readonly broken: readonly string[];
}

const hotLinks = 3;
const refusedPauseMs = 20;
const mostTries = 30;
/**
 * Milliseconds for which a client pauses between a response and the next request. Without pauses, the server would get
 * too little CPU time.
 */
const pauseMs = 3;
let names = 0;

// Returns a time in whole milliseconds that is certainly after the response.
export function later(): number {
  return Date.now() + 1;
}

/**
 * Sends a request, and retries if the server rejects it because of overload. Such a rejection happens before any work
 * is done, and is expected on a busy machine.
 */
export async function askPatiently(...[target, asked]: Parameters<typeof ask>): Promise<Answer> {
  for (let tries = 0; ; tries += 1) {
    const answer = await ask(target, asked);
    if (answer.status !== 503 || !answer.text.includes('"OVERLOADED"') || tries === mostTries) return answer;
    await sleep(1_000);
  }
}

export function newLedger(): Ledger {
  return { links: [], folders: [], problems: [] };
}

/** Creates some folders, and the links that all visitors follow. Must run without faults. */
export async function prepare(ledger: Ledger, target: Target): Promise<void> {
  const agent = new Agent({ keepAlive: true });
  const asked = { port: target.port, agent };
  for (const name of ['One', 'Two', 'Three']) {
    const body = { name };
    const answer = await askPatiently(asked, {
      method: 'POST',
      path: '/api/v1/folders',
      key: target.token,
      body,
    });
    ledger.folders.push(JSON.parse(answer.text).folder.id);
  }
  const hot = createWriter({ ledger, target, agent, broken: [] });
  for (let count = 0; count < hotLinks; count += 1) await hot.create(`hot-${process.pid}-${count}`, null);
  agent.destroy();
}

/** Starts writers and clickers, which run until they are stopped or the server is gone. */
export function startLoad(options: LoadOptions): Load {
  const { ledger, random, target, writers, clickers, mayRefuse } = options;
  const { mayRefuseVisits = false, mayBreak = false, staleForMs = 0 } = options;
  const { each = Number.POSITIVE_INFINITY } = options;
  const agent = new Agent({ keepAlive: true });
  const broken: string[] = [];
  let refused = 0;
  let stopped = false;

  const isRefusal = ({ status, headers, text }: Answer): boolean => {
    const isOne = status === 503 && text.includes('STORAGE_UNAVAILABLE') && headers['retry-after'] === '1';
    if (isOne) refused += 1;
    return isOne && (mayRefuse?.() ?? false);
  };
  /** Returns true if the client may continue after a response that is normally unexpected. */
  const mayGoOn = async (): Promise<boolean> => {
    if (!mayBreak && (mayRefuse === undefined || broken.length > 0)) return false;
    await sleep(refusedPauseMs);
    return true;
  };

  const writing = async (): Promise<void> => {
    const writer = createWriter({ ledger, target, agent, broken, isRefusal });
    const own: LedgerLink[] = [];
    const folder = (): string | null => random.pick([null, ...ledger.folders]);
    for (let asked = 0; !stopped && asked < each; asked += 1) {
      const editable = own.filter(isSettled);
      if (editable.length < 3 || random.chance(0.3)) {
        names += 1;
        const code = random.chance(0.5) ? `Code-${process.pid}-${names}` : undefined;
        const made = await writer.create(code, folder());
        if (made !== undefined) own.push(made);
        else if (!(await mayGoOn())) return;
        continue;
      }
      if (!(await edit(writer, random.pick(editable))) && !(await mayGoOn())) return;
      await sleep(pauseMs);
    }
  };

  const edit = (writer: Writer, link: LedgerLink): Promise<boolean> => {
    names += 1;
    const what = random.below(10);
    if (what < 3) return writer.change(link, { title: `title ${names}` });
    if (what < 6) return writer.change(link, { destination: `https://example.com/${names}?moved=ü` });
    if (what < 9) return writer.change(link, { folderId: random.pick([null, ...ledger.folders]) });
    return writer.change(link, { deleted: true });
  };

  const clicking = async (): Promise<void> => {
    for (let asked = 0; !stopped && asked < each; asked += 1) {
      const hot = random.chance(0.5);
      const link = hot ? ledger.links[random.below(hotLinks)] : random.pick(ledger.links);
      if (link?.code === undefined) {
        await sleep(1);
        continue;
      }
      const couldBeAbsent = mayBeAbsent(link, later() - staleForMs);
      const visit: Visit = { sentAt: Date.now(), ackedAt: Number.POSITIVE_INFINITY };
      link.visits.push(visit);
      try {
        const path = `/${random.chance(0.2) ? link.code.toUpperCase() : link.code}`;
        const visited = { method: 'GET', path: `${path}?utm_source=${link.code}`, headers: visitorsHeaders };
        const { status, headers } = await askPatiently({ port: target.port, agent }, visited);
        if (status === 302) visit.ackedAt = later();
        else link.visits.splice(link.visits.indexOf(visit), 1);
        const location = String(headers['location']);
        const known = link.changes.some(({ after }) => new URL(after.destination).href === location);
        const absent = status === 404 && (couldBeAbsent || mayBeAbsent(link, later() - staleForMs));
        const isRefused = mayRefuseVisits && status === 503;
        if (!absent && !isRefused && (status !== 302 || !known)) {
          ledger.problems.push(`GET ${path} answered ${status}, Location ${location}.`);
        }
      } catch (error) {
        broken.push(codeOf(error));
        if (!mayBreak) return;
      }
      await sleep(pauseMs);
    }
  };

  const work = [
    ...Array.from({ length: writers }, () => writing()),
    ...Array.from({ length: clickers }, () => clicking()),
  ];
  const ended = Promise.all(work).finally(() => agent.destroy());
  return {
    broken,
    refused: () => refused,
    ended,
    async stop() {
      stopped = true;
      await ended;
    },
  };
}

export function stateOf(link: LedgerLink): LinkState | undefined {
  return link.changes.findLast(({ ackedAt }) => ackedAt !== Number.POSITIVE_INFINITY)?.after;
}

/** Returns true if the link exists and no change is pending. */
function isSettled({ changes }: LedgerLink): boolean {
  const last = changes.at(-1);
  return last !== undefined && !last.after.deleted && last.ackedAt !== Number.POSITIVE_INFINITY;
}

/** Returns true if a visitor may get a 404 for the link at that time. */
function mayBeAbsent({ changes }: LedgerLink, at: number): boolean {
  return (changes[0]?.ackedAt ?? Number.POSITIVE_INFINITY) > at || changes.some(({ after }) => after.deleted);
}

interface Writer {
  /** @returns the link, or undefined if there was no response */
  create(code: string | undefined, folderId: string | null): Promise<LedgerLink | undefined>;
  /** @returns true if there was a response */
  change(link: LedgerLink, fields: Partial<LinkState>): Promise<boolean>;
}

/** Creates a client that changes links and records the responses. */
function createWriter({
  ledger,
  target,
  agent,
  broken,
  isRefusal = () => false,
}: {
  readonly ledger: Ledger;
  readonly target: Target;
  readonly agent: Agent;
  readonly broken: string[];
  /** Returns true if a response is a temporary rejection, so that the outcome is unknown. */
  readonly isRefusal?: (answer: Answer) => boolean;
}): Writer {
  /** Sends a change that is already in the ledger. */
  const send = async (
    change: Change,
    wanted: number,
    method: string,
    path: string,
    body?: object,
  ): Promise<Answer | undefined> => {
    try {
      const asked = { method, path: `/api/v1${path}`, key: target.token, body };
      const answer = await askPatiently({ port: target.port, agent }, asked);
      if (answer.status === wanted) change.ackedAt = later();
      else if (!isRefusal(answer))
        ledger.problems.push(`${method} ${path} answered ${answer.status}: ${answer.text}`);
      return answer.status === wanted ? answer : undefined;
    } catch (error) {
      broken.push(codeOf(error));
      return undefined;
    }
  };
  const begin = (link: LedgerLink, after: LinkState): Change => {
    const change = { after, sentAt: Date.now(), ackedAt: Number.POSITIVE_INFINITY };
    link.changes.push(change);
    return change;
  };

  return {
    async create(code, folderId) {
      names += 1;
      const destination = `https://example.com/${process.pid}/${names}`;
      const link: LedgerLink = { id: undefined, code, changes: [], visits: [], clicks: 0 };
      const change = begin(link, { destination, title: null, folderId, deleted: false });
      ledger.links.push(link);
      const body = { url: destination, customCode: code, folderId };
      const answer = await send(change, 201, 'POST', '/shorten', body);
      if (answer === undefined) return undefined;
      const { data } = JSON.parse(answer.text);
      link.id = data.id;
      link.code = data.shortCode;
      return link;
    },
    async change(link, fields) {
      const path = `/links/${link.id}`;
      const before = stateOf(link);
      if (before === undefined) throw new Error('A link must be created before it is changed.');
      const change = begin(link, { ...before, ...fields });
      const { title, destination, folderId } = fields;
      if (fields.deleted) return (await send(change, 204, 'DELETE', path)) !== undefined;
      const [where, body] =
        title !== undefined
          ? ['', { title }]
          : destination !== undefined
            ? ['/destination', { url: destination }]
            : ['/move', { folderId }];
      return (await send(change, 200, 'PATCH', path + where, body)) !== undefined;
    },
  };
}

/** Returns a broken connection's error code. Any other error is a bug in the test. */
function codeOf(error: unknown): string {
  const { code = '', reused } = error as NodeJS.ErrnoException & { readonly reused?: boolean };
  if (!/^(ECONNREFUSED|ECONNRESET|EPIPE)$/.test(code)) throw error;
  return reused ? `${code} on a reused connection` : code;
}

/**
 * Returns a link's possible states at a cut-off time: the last acknowledged state and, if the next change had been
 * sent, the state after that change.
 */
export function possibleStates(link: LedgerLink, at = Number.POSITIVE_INFINITY): (LinkState | undefined)[] {
  const acked = link.changes.findLastIndex(
    ({ ackedAt }) => ackedAt <= at && ackedAt !== Number.POSITIVE_INFINITY,
  );
  const next = link.changes[acked + 1];
  const states = [link.changes[acked]?.after];
  if (next !== undefined && next.sentAt <= at) states.push(next.after);
  return states;
}

/** Removes changes without a response, as if they had not happened. */
export function dropUnanswered(ledger: Ledger): void {
  const answered = ({ ackedAt }: { readonly ackedAt: number }): boolean =>
    ackedAt !== Number.POSITIVE_INFINITY;
  for (const link of ledger.links) {
    link.visits = link.visits.filter(answered);
    link.changes = link.changes.filter(answered);
  }
  ledger.links.splice(0, ledger.links.length, ...ledger.links.filter(({ changes }) => changes.length > 0));
}

/** Returns the minimum and maximum number of clicks that a link may have. */
export function possibleClicks(link: LedgerLink, at = Number.POSITIVE_INFINITY): [number, number] {
  const acked = link.visits.filter(({ ackedAt }) => ackedAt <= at && ackedAt !== Number.POSITIVE_INFINITY);
  const sent = link.visits.filter(({ sentAt }) => sentAt <= at);
  return [link.clicks + acked.length, link.clicks + sent.length];
}
