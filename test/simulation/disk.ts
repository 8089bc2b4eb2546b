import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { argumentsOf, bytesOf, type Call, type Trace } from '../support/faults/trace.ts';
import type { Random } from '../support/random/random.ts';

/**
 * A model of the possible contents of a disk after a power cut: the minimum that POSIX guarantees, and anything more.
 * Real file systems guarantee more: ext4 makes a new file's name safe with the file itself, and preserves the order of
 * names.
 *
 * - A write, or a change to a file's size, is safe once an fsync or fdatasync of the file that began after the change
 *   has ended. Other writes may have reached the disk in any combination, each possibly with only some of its sectors
 *   (512 or 4,096 bytes).
 * - A change to a directory (adding, removing or renaming) is safe once an fsync of that directory that began after the
 *   change has ended. Syncing a file does not sync its name. Of a directory's other changes, a prefix may have reached
 *   the disk, because every journaling file system preserves their order.
 * - A lost directory loses everything in it.
 * - The root exists. Names that end in `-shm` are SQLite's shared memory, which SQLite creates again after a crash.
 */
export interface Disk {
  /** Applies the trace up to and including this line. */
  advance(line: number): void;
  /** Returns true if a power cut could lose the file's name, or a parent directory's name. */
  couldLoseName(path: string): boolean;
  /**
   * Writes to `target` a possible content of the disk after a power cut. Without `random`, writes only the guaranteed
   * minimum.
   */
  rebuild(target: string, random?: Random): void;
}

export interface File {
  readonly kind: 'file';
  safe: Buffer;
  open: FileChange[];
}

export interface Directory {
  readonly kind: 'directory';
  readonly now: Map<string, Node>;
  readonly safe: Map<string, Node>;
  open: NameChange[];
}

export type Node = File | Directory;

export interface FileChange {
  readonly kind: 'write' | 'size';
  readonly offset: number;
  readonly bytes: Buffer;
  ended: boolean;
}

/** Names that one operation adds to a directory, with their files, and names that it removes. */
export interface NameChange {
  readonly put: ReadonlyMap<string, Node>;
  readonly drop: readonly string[];
}

export interface DiskListener {
  /** Called when a change to a file's content begins, and when it becomes safe. */
  readonly onChange?: (path: string, change: FileChange, what: 'begun' | 'safe', line: number) => void;
}

interface Descriptor {
  readonly node: Node;
  readonly path: string;
  position: number;
}

/** Calls that this model does not support. If they occur, the test fails, because the result would be wrong. */
const unmodelled =
  /^(writev|pwritev|pwritev2|fallocate|truncate|copy_file_range|sendfile|link|linkat|dup.*|sync.*|creat)$/;

export function createDisk({ calls }: Trace, root: string, { onChange }: DiskListener = {}): Disk {
  const top = newDirectory();
  const descriptors = new Map<number, Descriptor>();
  const points = calls
    .flatMap((call) => [
      { line: call.begins, call, what: 'begins' as const },
      { line: call.ends, call, what: 'ends' as const },
    ])
    .sort((a, b) => a.line - b.line);
  let next = 0;

  const namesIn = (path: string): string[] => relative(root, path).split('/');
  const nodeAt = (path: string): Node | undefined => {
    if (path === root) return top;
    let node: Node | undefined = top;
    for (const name of namesIn(path)) node = node?.kind === 'directory' ? node.now.get(name) : undefined;
    return node;
  };
  const directoryAt = (path: string): Directory => {
    const node = nodeAt(path);
    if (node?.kind !== 'directory') throw new Error(`${path} is not a directory in the trace.`);
    return node;
  };
  const isInside = (path: string): boolean => path === root || path.startsWith(`${root}/`);

  const changeNames = (
    directory: Directory,
    put: ReadonlyMap<string, Node>,
    drop: readonly string[],
  ): void => {
    applyNames(directory.now, { put, drop });
    directory.open.push({ put, drop });
  };
  const make = (path: string, node: Node): void =>
    changeNames(directoryAt(dirname(path)), new Map([[basename(path), node]]), []);

  const opened = (call: Call, pathArgument: string | undefined, flags: string): void => {
    const path = bytesOf(pathArgument).toString();
    descriptors.delete(call.result);
    if (!isInside(path)) return;
    let node = nodeAt(path);
    if (node === undefined) {
      if (!flags.includes('O_CREAT')) throw new Error(`${path} was opened, but the trace never created it.`);
      node = { kind: 'file', safe: Buffer.alloc(0), open: [] } satisfies File;
      make(path, node);
    } else if (flags.includes('O_TRUNC') && node.kind === 'file') {
      begin(path, node, { kind: 'size', offset: 0, bytes: Buffer.alloc(0), ended: true }, call.ends);
    }
    const end = node.kind === 'file' && flags.includes('O_APPEND') ? lengthOf(node) : 0;
    descriptors.set(call.result, { node, path, position: end });
  };

  const begin = (path: string, file: File, change: FileChange, line: number): void => {
    file.open.push(change);
    onChange?.(path, change, 'begun', line);
  };

  /** For each sync in progress, a function that marks the changes made before the sync as safe. */
  const syncs = new Map<Call, () => void>();
  const beginSync = (call: Call, { node, path }: Descriptor): void => {
    if (node.kind === 'directory') {
      const covered = [...node.open];
      syncs.set(call, () => makeSafe(node, covered));
      return;
    }
    const covered = node.open.filter(({ ended }) => ended);
    syncs.set(call, () => {
      // Another sync may already have made some changes safe.
      const made = covered.filter((change) => node.open.includes(change));
      node.safe = applyAll(node.safe, made);
      for (const change of made) onChange?.(path, change, 'safe', call.ends);
      node.open = node.open.filter((change) => !made.includes(change));
    });
  };

  const changes = new Map<Call, FileChange>();
  const onBegin = (call: Call): void => {
    const [fd] = argumentsOf(call);
    const descriptor = descriptors.get(Number(fd));
    if (descriptor === undefined || call.result < 0) return;
    const { node, path } = descriptor;
    // Released here, because by the time the trace reports the end of the call, another thread may have reused the
    // number for another file.
    if (call.name === 'close') return void descriptors.delete(Number(fd));
    if (unmodelled.test(call.name))
      throw new Error(`${call.name} on ${path} is not part of the disk's model.`);
    if (call.name === 'fsync' || call.name === 'fdatasync') return beginSync(call, descriptor);
    if (!/^(write|pwrite64|ftruncate)$/.test(call.name) || node.kind !== 'file') return;
    const [, second, , offset] = argumentsOf(call);
    const isSize = call.name === 'ftruncate';
    const written = isSize ? Buffer.alloc(0) : bytesOf(second);
    const bytes = Number.isNaN(call.result) ? written : written.subarray(0, call.result);
    const at = isSize ? Number(second) : call.name === 'write' ? descriptor.position : Number(offset);
    if (call.name === 'write') descriptor.position += bytes.length;
    const change: FileChange = { kind: isSize ? 'size' : 'write', offset: at, bytes, ended: false };
    changes.set(call, change);
    begin(path, node, change, call.begins);
  };

  const onEnd = (call: Call): void => {
    if (call.result < 0) return;
    const change = changes.get(call);
    if (change !== undefined) change.ended = true;
    syncs.get(call)?.();
    syncs.delete(call);
    const [first, second, third = ''] = argumentsOf(call);
    switch (call.name) {
      case 'open':
        return opened(call, first, second ?? '');
      case 'openat':
        return opened(call, second, third);
      case 'mkdir':
      case 'rmdir':
      case 'unlink':
      case 'rename':
        return onPath(call.name, first, second);
      default:
        if (/^(mkdirat|unlinkat|renameat2?)$/.test(call.name) && call.args.includes(hexOf(root)))
          throw new Error(`${call.name} is not part of the disk's model.`);
    }
  };

  const onPath = (name: 'mkdir' | 'rmdir' | 'unlink' | 'rename', first?: string, second?: string): void => {
    const path = bytesOf(first).toString();
    if (!isInside(path) || path === root) return;
    const directory = directoryAt(dirname(path));
    if (name === 'mkdir') return make(path, newDirectory());
    if (name !== 'rename') return changeNames(directory, new Map(), [basename(path)]);
    const to = bytesOf(second).toString();
    const node = nodeAt(path);
    if (dirname(to) !== dirname(path) || node === undefined)
      throw new Error('A rename between directories is not part of the disk’s model.');
    changeNames(directory, new Map([[basename(to), node]]), [basename(path)]);
  };

  return {
    advance(line) {
      for (let point = points[next]; point !== undefined && point.line <= line; point = points[next]) {
        if (point.what === 'begins') onBegin(point.call);
        else onEnd(point.call);
        next += 1;
      }
    },
    couldLoseName(path) {
      let safe: Node | undefined = top;
      for (const name of namesIn(path)) safe = safe?.kind === 'directory' ? safe.safe.get(name) : undefined;
      const now = nodeAt(path);
      return now !== undefined && now !== safe;
    },
    rebuild: (target, random) => writeDirectory(top, target, random),
  };
}

export function newDirectory(): Directory {
  return {
    kind: 'directory',
    now: new Map(),
    safe: new Map(),
    open: [],
  };
}

function hexOf(text: string): string {
  return [...Buffer.from(text)].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('');
}

export function applyNames(names: Map<string, Node>, { put, drop }: NameChange): void {
  for (const name of drop) names.delete(name);
  for (const [name, node] of put) names.set(name, node);
}

export function makeSafe(directory: Directory, covered: readonly NameChange[]): void {
  for (const change of covered) if (directory.open.includes(change)) applyNames(directory.safe, change);
  directory.open = directory.open.filter((change) => !covered.includes(change));
}

function lengthOf({ safe, open }: File): number {
  return applyAll(safe, open).length;
}

/** Returns a copy of the bytes with the changes applied. The original bytes may be needed again. */
export function applyAll(bytes: Buffer, changes: readonly FileChange[]): Buffer {
  const ends = changes.map(({ offset, bytes: written }) => offset + written.length);
  const result = Buffer.alloc(ends.reduce((a, b) => Math.max(a, b), bytes.length));
  bytes.copy(result);
  let length = bytes.length;
  for (const { kind, offset, bytes: written } of changes) {
    if (kind === 'write') {
      written.copy(result, offset);
      length = Math.max(length, offset + written.length);
    } else {
      result.fill(0, Math.min(offset, length), length);
      length = offset;
    }
  }
  return result.subarray(0, length);
}

/** Returns a part of an unsafe change that may have reached the disk. */
const someOf = function* (change: FileChange, random: Random): Generator<FileChange> {
  if (change.kind === 'size' || !random.chance(0.3)) return yield change;
  const sector = random.pick([512, 4096]);
  const end = change.offset + change.bytes.length;
  for (let at = change.offset; at < end; ) {
    const until = Math.min(end, (Math.floor(at / sector) + 1) * sector);
    const bytes = change.bytes.subarray(at - change.offset, until - change.offset);
    if (random.chance(0.5)) yield { ...change, offset: at, bytes };
    at = until;
  }
};

/** Returns a possible content of a file after a power cut. Without `random`, returns the guaranteed minimum. */
export function survivingBytes(file: File, random: Random | undefined): Buffer {
  if (random === undefined) return file.safe;
  const kept = random.pick([0, 0.5, 0.9, 1]);
  const some = file.open.filter(() => random.chance(kept)).flatMap((change) => [...someOf(change, random)]);
  return applyAll(file.safe, some);
}

/** Returns possible names in a directory after a power cut. Without `random`, returns the guaranteed minimum. */
export function survivingNames(directory: Directory, random: Random | undefined): Map<string, Node> {
  const names = new Map(directory.safe);
  const more = random === undefined ? 0 : random.below(directory.open.length + 1);
  for (const change of directory.open.slice(0, more)) applyNames(names, change);
  return names;
}

function writeDirectory(directory: Directory, path: string, random: Random | undefined): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  for (const [name, node] of survivingNames(directory, random)) {
    if (name.endsWith('-shm')) continue;
    if (node.kind === 'directory') writeDirectory(node, join(path, name), random);
    else writeFileSync(join(path, name), survivingBytes(node, random), { mode: 0o600 });
  }
}
