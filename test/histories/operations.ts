// Random client operations, one function per subject. Each records its requests in a history.
import { randomUUID } from 'node:crypto';
import type { Answer } from '../support/server/server.ts';
import { drawVisit, type Visits } from './clicks.ts';
import type * as model from './models.ts';
import type { Recorded, Recorder, Target } from './recorder.ts';

/** Returns the output of an operation that can only succeed or find nothing, or undefined for any other response. */
function doneOrAbsent(answer: Answer): 'done' | 'absent' | undefined {
  if (answer.status < 300) return 'done';
  return answer.status === 404 ? 'absent' : undefined;
}

const first = 'https://example.com/0';
/**
 * Number of links that change all the time. A stale copy of such a link is soon refreshed and therefore not noticed, so
 * other links seldom change.
 */
const busyLinks = 4;
const quietLinks = 4;
/** Maximum number of concurrent writes to a busy link. `reads` is the maximum number of reads. */
const writers = 4;
const reads = 20;

export type Links = Awaited<ReturnType<typeof startLinks>>;

/** Starts a history of links that are changed (also with `If-Match`), deleted, restored and followed. */
export async function startLinks(recorder: Recorder) {
  const { random } = recorder.plan;
  const history: Recorded<model.LinkInput, model.LinkOutput>[] = [];
  const ids = new Map<string, string>();
  const visits = new Map<string, Visits>();
  const revisions = new Map<string, number>();
  const deleted = new Set<string>();
  let changes = 0;
  for (let n = 0; n < busyLinks + quietLinks; n += 1) {
    const start = performance.now();
    const { json, headers } = await recorder.prepare('post', '/shorten', { url: first });
    const { id, shortCode } = json.data;
    ids.set(shortCode, id);
    visits.set(shortCode, { answered: [], unknown: [] });
    const node = headers.get('x-node') ?? undefined;
    const input: model.LinkInput = { do: 'create', url: first };
    const output: model.LinkOutput = { is: 'done', revision: 1 };
    history.push({ key: shortCode, input, output, node, start, end: performance.now() });
  }
  const codes = [...ids.keys()];

  const outputOf = ({ status, headers }: Answer): model.LinkOutput | undefined => {
    const revision = Number(/^"(\d+)"$/.exec(headers.get('etag') ?? '')?.[1]);
    if (status < 300) return { is: 'done', ...(Number.isInteger(revision) && { revision }) };
    if (status === 302) return { is: 'redirect', url: (headers.get('location') ?? '').replace(/\?.*/, '') };
    if (status === 404 || status === 410) return { is: 'absent' };
    return status === 412 ? { is: 'mismatch' } : undefined;
  };

  const follow = async (code: string): Promise<void> => {
    const { path, headers, values } = drawVisit(random, code);
    const send = (to: Target) => recorder.visit(to, path, headers);
    const done = await recorder.record(history, { key: code, input: { do: 'follow' }, send, outputOf });
    if (done === undefined) return;
    if (done.output === undefined) visits.get(code)?.unknown.push(values);
    else if (done.output.is === 'redirect') visits.get(code)?.answered.push(values);
  };

  const write = async (code: string, input: model.LinkInput): Promise<void> => {
    const path = `/api/v1/links/${ids.get(code)}`;
    const done = await recorder.record(history, {
      key: code,
      input,
      send: (to) => {
        const api = recorder.api(to);
        if (input.do === 'delete') return api.delete(path);
        if (input.do !== 'change') return api.post(`${path}/restore`);
        const headers = input.ifMatch === undefined ? undefined : { 'if-match': `"${input.ifMatch}"` };
        return api.patch(`${path}/destination`, { url: input.url }, headers);
      },
      outputOf,
    });
    if (done?.output?.is === 'absent' || (done?.output?.is === 'done' && input.do === 'delete'))
      deleted.add(code);
    else if (done?.output?.is === 'done') deleted.delete(code);
    if (done?.output?.is === 'done' && done.output.revision !== undefined)
      revisions.set(code, done.output.revision);
  };

  const writeSome = (code: string): Promise<void> => {
    if (deleted.has(code) && random.chance(0.7)) return write(code, { do: 'restore' });
    if (random.chance(0.25)) return write(code, { do: random.chance(0.8) ? 'delete' : 'restore' });
    changes += 1;
    const ifMatch = random.chance(0.5) ? revisions.get(code) : undefined;
    const url = `https://example.com/${changes}`;
    return write(code, { do: 'change', url, ...(ifMatch !== undefined && { ifMatch }) });
  };

  return {
    history,
    visits,
    idOf: (code: string) => ids.get(code) ?? '',
    /** Performs one random operation. */
    async act() {
      const at = random.below(codes.length);
      const code = codes[at] ?? '';
      if (recorder.isSpent(code)) return follow(code);
      if (at >= busyLinks) return random.chance(0.94) ? follow(code) : writeSome(code);
      // Follows the link while it is being changed. A value that is read before a change must not be cached after the
      // change.
      let isWriting = true;
      const writing = Promise.all(Array.from({ length: writers }, () => writeSome(code)));
      void writing.finally(() => (isWriting = false));
      for (let n = 0; n < reads && isWriting; n += 1) await follow(code);
      return writing;
    },
    /** Restores all links, so that their clicks can be read. */
    async restoreAll() {
      for (const code of codes) await write(code, { do: 'restore' });
    },
  };
}

export const maxClicks = 3;
/** Number of concurrent visitors to a link with a click limit. */
const rush = 6;

/** Starts a history of links with a click limit. Each link gets more concurrent visits than its limit allows. */
export function startLimits(recorder: Recorder) {
  const history: Recorded<'visit', 'redirect' | 'refused'>[] = [];
  const body = { url: 'https://example.com/limited', maxClicks };
  return {
    history,
    async act() {
      const [target = { url: '' }] = recorder.plan.targets();
      const api = recorder.api(target);
      const made = await api.post('/api/v1/shorten', body).catch(() => undefined);
      if (made?.status !== 201) return;
      const key: string = made.json.data.shortCode;
      const visit = () =>
        recorder.record(history, {
          key,
          input: 'visit',
          send: (to) => recorder.visit(to, `/${key}`),
          outputOf: ({ status }) => (status === 302 ? 'redirect' : status === 410 ? 'refused' : undefined),
        });
      await Promise.all(Array.from({ length: rush }, visit));
      await visit();
    },
  };
}

const repeats = 4;
/**
 * Starts a history of `Idempotency-Key`s. Each key is sent four times at once, and again later, to any node. One
 * request in four has a different body.
 */
export function startKeys(recorder: Recorder) {
  const history: Recorded<model.Creation, model.Created>[] = [];
  const send = (key: string, body: string) => {
    const link = { url: `https://example.com/${body}` };
    return recorder.record(history, {
      key,
      input: { body },
      send: (to) => recorder.api(to).post('/api/v1/shorten', link, { 'idempotency-key': key }),
      outputOf: ({ status, json }) => {
        if (status === 201) return json.data.id;
        return json?.error?.code === 'IDEMPOTENCY_KEY_REUSED' ? 'reused' : undefined;
      },
    });
  };
  return {
    history,
    async act() {
      const key = randomUUID();
      const body = () => (recorder.plan.random.chance(1 / repeats) ? 'other' : 'usual');
      await Promise.all(Array.from({ length: repeats }, () => send(key, body())));
      await send(key, body());
    },
  };
}

const externalIds = 2;

/** Starts a history of links that claim and release an `externalId`. */
export function startExternalIds(recorder: Recorder) {
  const { random } = recorder.plan;
  const history: Recorded<model.ExternalInput, model.ExternalOutput>[] = [];
  const names = Array.from({ length: externalIds }, () => randomUUID());
  const body = { url: 'https://example.com/external' };
  const does = ['create', 'create', 'put', 'put', 'delete', 'delete', 'read'] as const;
  return {
    history,
    act() {
      const at = random.below(externalIds);
      if (recorder.isSpent(names[at] ?? '')) names[at] = randomUUID();
      const key = names[at] ?? '';
      const input: model.ExternalInput = { do: random.pick(does) };
      const path = `/api/v1/links/by-external-id/${key}`;
      return recorder.record(history, {
        key,
        input,
        send: (to) => {
          const api = recorder.api(to);
          if (input.do === 'create') return api.post('/api/v1/shorten', { ...body, externalId: key });
          if (input.do === 'put') return api.put(path, body);
          return input.do === 'delete' ? api.delete(path) : api.get(path);
        },
        outputOf({ status, json }): model.ExternalOutput | undefined {
          if (status === 201) return { is: 'created', id: json.data.id };
          if (status === 200) return { is: 'existing', id: json.data.id };
          if (status === 204) return { is: 'deleted' };
          if (status === 404 && (input.do === 'delete' || input.do === 'read')) return { is: 'absent' };
          const isTaken = input.do === 'create' && json?.error?.code === 'EXTERNAL_ID_TAKEN';
          return isTaken ? { is: 'taken' } : undefined;
        },
      });
    },
  };
}

/** Starts a history of links that move between folders, and of the folders' link counts. */
export async function startFolders(recorder: Recorder) {
  const { random } = recorder.plan;
  const history: Recorded<model.FolderInput, model.FolderOutput>[] = [];
  const folders: string[] = [];
  const links: string[] = [];
  for (const name of ['one', 'two'])
    folders.push((await recorder.prepare('post', '/folders', { name })).json.folder.id);
  for (let n = 0; n < 4; n += 1)
    links.push((await recorder.prepare('post', '/shorten', { url: first })).json.data.id);

  const draw = (): model.FolderInput => {
    const what = random.next();
    if (what < 0.35 || recorder.isSpent('folders')) return { do: 'count' };
    if (what < 0.5)
      return { do: random.chance(0.4) ? 'delete folder' : 'restore folder', folder: random.pick(folders) };
    const link = random.pick(links);
    if (what < 0.7) return { do: random.chance(0.4) ? 'delete' : 'restore', link };
    return { do: 'move', link, to: random.pick([...folders, null]) };
  };
  return {
    history,
    folders,
    links,
    act() {
      const input = draw();
      return recorder.record(history, {
        key: 'folders',
        input,
        send: (to) => {
          const api = recorder.api(to);
          if (input.do === 'count') return api.get('/api/v1/folders');
          const path = 'folder' in input ? `/api/v1/folders/${input.folder}` : `/api/v1/links/${input.link}`;
          if (input.do === 'move') return api.patch(`${path}/move`, { folderId: input.to });
          return input.do.startsWith('delete') ? api.delete(path) : api.post(`${path}/restore`);
        },
        outputOf(answer) {
          if (input.do !== 'count') return doneOrAbsent(answer);
          if (answer.status !== 200) return undefined;
          const listed: { id: string; linkCount: number }[] = answer.json.folders;
          const ours = listed.filter(({ id }) => folders.includes(id));
          return { counts: Object.fromEntries(ours.map(({ id, linkCount }) => [id, linkCount])) };
        },
      });
    },
  };
}

const movingLinks = 3;

/** Starts a history of links that move between the shared domain and a custom one. */
export async function startMoves(recorder: Recorder) {
  const { random, hosts } = recorder.plan;
  const history: Recorded<model.MoveInput, model.MoveOutput>[] = [];
  const links: { readonly id: string; readonly code: string }[] = [];
  for (let n = 0; n < movingLinks; n += 1) {
    const code = `move-${randomUUID().slice(0, 8)}`;
    const { json } = await recorder.prepare('post', '/shorten', { url: first, customCode: code });
    links.push({ id: json.data.id, code });
  }
  const draw = (code: string): model.MoveInput => {
    const what = random.next();
    const host = random.pick(hosts);
    if (what < 0.8 || recorder.isSpent(code)) return { do: 'follow', host };
    if (what < 0.88) return { do: 'move', host };
    if (what < 0.93) return { do: 'remove alias', host };
    return { do: random.chance(0.4) ? 'delete' : 'restore' };
  };
  return {
    history,
    act() {
      const { id, code } = random.pick(links);
      const input = draw(code);
      const { host = '' } = input;
      return recorder.record(history, {
        key: code,
        input,
        send: (to) => {
          const api = recorder.api(to);
          const path = `/api/v1/links/${id}`;
          if (input.do === 'follow') return recorder.visit(to, `/${code}`, { host });
          if (input.do === 'move') return api.patch(`${path}/code`, { customCode: code, domain: host });
          if (input.do === 'remove alias') return api.delete(`/api/v1/aliases/${code}?domain=${host}`);
          return input.do === 'delete' ? api.delete(path) : api.post(`${path}/restore`);
        },
        outputOf: (answer) => (answer.status === 302 ? 'redirect' : doneOrAbsent(answer)),
      });
    },
  };
}
