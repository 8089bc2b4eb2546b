import { basename, dirname } from 'node:path';
import type { JournalFs } from '../../src/clicks/journal/files/io.ts';
import type { Random } from '../support/random/random.ts';
import {
  applyAll,
  applyNames,
  type Directory,
  type File,
  type FileChange,
  makeSafe,
  type Node,
  newDirectory,
  survivingBytes,
  survivingNames,
} from './disk.ts';
import type { SimulatedTime } from './simulated-time.ts';

/** A process that uses the disk. */
export interface DiskUser {
  readonly name: string;
  /** False once the process has ended. From then on, its remaining code has no effect. */
  alive: boolean;
  /**
   * Called for every operation.
   * @returns true if the process dies during the operation
   */
  diesIn(operation: string): boolean;
}

/**
 * A disk in memory that distinguishes written from safe content, with the same model as the power-loss test (disk.ts).
 */
export interface SimulatedDisk {
  /** True if the disk is full. A small write may still succeed. */
  full: boolean;
  /** Kind of operations that sometimes fail. */
  failing: 'nothing' | 'syncs' | 'everything';
  /**
   * True if the cleanup after a failure, such as truncating or removing a file, has failed since the test last set this
   * to false.
   */
  untidy: boolean;
  fsOf(user: DiskUser): JournalFs;
  /** Releases the locks that a dead process held. */
  abandon(user: DiskUser): void;
  /** Replaces the disk's content with one that the model allows after a power cut. */
  cutPower(): void;
  /** Returns a file's bytes, for checks. */
  read(path: string): Buffer;
  names(path: string): readonly string[];
}

interface LiveFile extends File {
  /** Content that readers see. */
  now: Buffer;
}

export interface DiskOptions {
  /** Returns the current step's random generator. */
  readonly random: () => Random;
  readonly time: SimulatedTime;
  /** Records every event in order. Equal records mean that two runs were equal. */
  readonly note: (line: string) => void;
  readonly beforeUnlink: (path: string, bytes: Buffer) => void;
}

/** Maximum duration of a sync in ms. Its result may arrive up to that much later. */
const syncMs = 2;
/** Maximum duration of other work in the thread pool in ms. Its result may arrive up to that much later. */
const poolMs = 3;
const shortWrites = 0.02;
const faults = 0.3;

function fault(code: string): Error {
  return Object.assign(new Error(code), { code });
}

export function createSimulatedDisk({ random, time, note, beforeUnlink }: DiskOptions): SimulatedDisk {
  let top = newDirectory();
  const uncut = new WeakSet<File>();
  const locks = new Map<Node, DiskUser>();
  /**
   * Writes whose sync failed. The kernel drops these writes, and no later sync makes them safe. It does not drop
   * changes to names, because a file system that cannot write its own journal stops.
   */
  const forgotten = new WeakSet<object>();

  const nodeAt = (path: string): Node | undefined => {
    let node: Node | undefined = top;
    for (const name of path.split('/')) {
      if (name !== '') node = node?.kind === 'directory' ? node.now.get(name) : undefined;
    }
    return node;
  };
  const directoryAt = (path: string): Directory => {
    const node = nodeAt(path);
    if (node?.kind !== 'directory') throw fault('ENOENT');
    return node;
  };
  const fileAt = (path: string): LiveFile => {
    const node = nodeAt(path);
    if (node?.kind !== 'file') throw fault('ENOENT');
    return node as LiveFile;
  };
  const changeNames = (
    directory: Directory,
    put: ReadonlyMap<string, Node>,
    drop: readonly string[],
  ): void => {
    const change = { put, drop };
    applyNames(directory.now, change);
    directory.open.push(change);
  };
  const make = (path: string, node: Node): void =>
    changeNames(directoryAt(dirname(path)), new Map([[basename(path), node]]), []);
  const newFile = (bytes: Buffer = Buffer.alloc(0)): LiveFile => ({
    kind: 'file',
    safe: bytes,
    now: bytes,
    open: [],
  });
  const changeFile = (file: LiveFile, change: Omit<FileChange, 'ended'>): void => {
    const whole = { ...change, ended: true };
    file.open.push(whole);
    file.now = applyAll(file.now, [whole]);
  };

  /** @returns a function that ends the sync. If the sync fails, a file's changes are dropped */
  const beginSync = (node: Node): ((works: boolean) => void) => {
    const covered = node.open.filter((change) => !forgotten.has(change));
    return (works) => {
      if (!works) {
        if (node.kind === 'file') for (const change of covered) forgotten.add(change);
      } else if (node.kind === 'directory') makeSafe(node, covered as Directory['open']);
      else {
        const made = node.open.filter((change) => (covered as FileChange[]).includes(change));
        node.safe = applyAll(node.safe, made);
        node.open = node.open.filter((change) => !made.includes(change));
      }
    };
  };

  const disk: SimulatedDisk = {
    full: false,
    failing: 'nothing',
    untidy: false,
    read: (path) => fileAt(path).now,
    names: (path) => {
      const node = nodeAt(path);
      return node?.kind === 'directory' ? [...node.now.keys()] : [];
    },
    abandon(user) {
      for (const [file, owner] of locks) if (owner === user) locks.delete(file);
    },
    cutPower() {
      const survivor = (node: Node): Node => {
        if (node.kind === 'file') return newFile(survivingBytes(node, random()));
        const names = [...survivingNames(node, random())].map(
          ([name, one]) => [name, survivor(one)] as const,
        );
        return { kind: 'directory', now: new Map(names), safe: new Map(names), open: [] };
      };
      top = survivor(top) as Directory;
      locks.clear();
    },
    fsOf(user) {
      const descriptors = new Map<number, { readonly node: Node; readonly path: string }>();
      let lastDescriptor = 0;

      /** Runs an operation. Throws if the process is dead or dies during it, or if the disk rejects it. */
      const operation = <T>(name: string, path: string, work: (dies: boolean) => T, canFail = true): T => {
        if (!user.alive) throw fault('ESRCH');
        const dies = user.diesIn(name);
        const fails = canFail && disk.failing === 'everything' && random().chance(faults);
        note(`${user.name} ${name} ${path}${dies ? ' and dies' : ''}${fails ? ' fails' : ''}`);
        if (fails && !dies) throw fault('EIO');
        // Kills the process before the operation. Otherwise, it dies just after the operation.
        if (dies && name !== 'write' && random().chance(0.5)) throw fault('ESRCH');
        const result = work(dies);
        if (dies) throw fault('ESRCH');
        return result;
      };
      const tidying = (file: LiveFile, work: () => void): void => {
        try {
          work();
        } catch (error) {
          disk.untidy = true;
          uncut.add(file);
          throw error;
        }
      };
      const opened = (fd: number) => {
        const descriptor = descriptors.get(fd);
        if (descriptor === undefined) throw fault('EBADF');
        return descriptor;
      };
      const fileOf = (fd: number): LiveFile => opened(fd).node as LiveFile;

      const sync = (fd: number, done: (error: Error | null) => void): void => {
        const { node, path } = opened(fd);
        operation('sync', path, () => {}, false);
        const end = beginSync(node);
        time.after(user, `sync ${path}`, random().below(syncMs), syncMs, () => {
          const works = disk.failing === 'nothing' || !random().chance(faults);
          note(`${user.name} synced ${path} ${works}`);
          end(works);
          done(works ? null : fault('EIO'));
        });
      };

      const unlink = (path: string): void => {
        // If the file could not be truncated, its end still contains clicks from rejected visitors.
        if (!uncut.has(fileAt(path))) beforeUnlink(path, fileAt(path).now);
        changeNames(directoryAt(dirname(path)), new Map(), [basename(path)]);
      };
      /** Runs work in the thread pool and reports its result later. */
      const later = <T>(
        name: string,
        path: string,
        done: (error: Error | null, value?: T) => void,
        work: () => T,
      ): void => {
        if (!user.alive) return; // A dead process gets no result.
        time.after(user, `${name} ${path}`, random().below(poolMs), poolMs, () => {
          let value: T;
          try {
            value = operation(name, path, work);
          } catch (error) {
            return user.alive ? done(error as Error) : undefined;
          }
          return done(null, value);
        });
      };

      return {
        openSync: (path: string, flags: string) =>
          operation('open', path, () => {
            let node = nodeAt(path);
            if (flags === 'w') {
              if (node === undefined) {
                node = newFile();
                make(path, node);
              } else changeFile(fileAt(path), { kind: 'size', offset: 0, bytes: Buffer.alloc(0) });
            }
            if (node === undefined) throw fault('ENOENT');
            lastDescriptor += 1;
            descriptors.set(lastDescriptor, { node, path });
            return lastDescriptor;
          }),
        writeSync: (fd: number, bytes: Uint8Array, from: number, length: number, position: number) =>
          operation('write', opened(fd).path, (dies) => {
            const some = random().below(length + 1);
            let fits = length;
            if (dies) fits = some;
            else if (disk.full) fits = random().chance(0.7) ? 0 : some;
            else if (random().chance(shortWrites)) fits = Math.max(1, some);
            if (fits === 0 && length > 0) throw fault('ENOSPC');
            const written = Buffer.from(bytes.subarray(from, from + fits));
            changeFile(fileOf(fd), { kind: 'write', offset: position, bytes: written });
            note(`wrote ${fits} of ${length} at ${position}`);
            return fits;
          }),
        ftruncateSync: (fd: number, size: number) =>
          tidying(fileOf(fd), () =>
            operation('truncate', opened(fd).path, () =>
              changeFile(fileOf(fd), { kind: 'size', offset: size, bytes: Buffer.alloc(0) }),
            ),
          ),
        closeSync: (fd: number) => operation('close', '', () => descriptors.delete(fd), false),
        unlinkSync: (path: string) =>
          tidying(fileAt(path), () => operation('unlink', path, () => unlink(path))),
        fdatasync: sync,
        fsync: sync,
        fsyncSync: (fd: number) => operation('sync', opened(fd).path, () => beginSync(opened(fd).node)(true)),
        existsSync: (path: string) => user.alive && nodeAt(path) !== undefined,
        readdirSync: (path: string) => operation('list', path, () => [...directoryAt(path).now.keys()]),
        readFile: (path: string, done: (error: Error | null, bytes?: Buffer) => void) =>
          later('read', path, done, () => Buffer.from(fileAt(path).now)),
        writeFile: (path: string, bytes: Uint8Array, _: object, done: (error: Error | null) => void) =>
          later('write file', path, done, () => {
            if (disk.full) throw fault('ENOSPC');
            if (nodeAt(path) === undefined) make(path, newFile(Buffer.from(bytes)));
          }),
        unlink: (path: string, done: (error: Error | null) => void) =>
          later('unlink', path, done, () => unlink(path)),
        mkdirSync: (path: string) =>
          operation('make directory', path, () => {
            if (disk.full && nodeAt(path) === undefined) throw fault('ENOSPC');
            const names = path.split('/').filter((name) => name !== '');
            for (const [index] of names.entries()) {
              const above = `/${names.slice(0, index + 1).join('/')}`;
              if (nodeAt(above) === undefined) make(above, newDirectory());
            }
          }),
        rmdirSync: (path: string) =>
          operation('remove directory', path, () => {
            if (directoryAt(path).now.size > 0) throw fault('ENOTEMPTY');
            changeNames(directoryAt(dirname(path)), new Map(), [basename(path)]);
          }),
        tryLock: (path: string) =>
          operation('lock', path, () => {
            const directory = directoryAt(path);
            if (!directory.now.has('lock')) make(`${path}/lock`, newFile());
            const file = fileAt(`${path}/lock`);
            if (locks.has(file)) return undefined;
            if (user.alive) locks.set(file, user);
            return {
              release() {
                if (user.alive && locks.get(file) === user) locks.delete(file);
              },
            };
          }),
      } as unknown as JournalFs;
    },
  };
  return disk;
}
