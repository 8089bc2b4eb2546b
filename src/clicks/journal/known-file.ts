import type { JournalFs } from './io.ts';

/** A file that this process has open, known by its device and inode. */
export interface KnownFile {
  /** Whether it was deleted, moved or replaced. False when the disk does not answer. */
  isStale(): Promise<boolean>;
}

function identityOf({ dev, ino }: { readonly dev: bigint; readonly ino: bigint }): string {
  return `${dev}:${ino}`;
}

/** Remembers the file that is at a path now. */
export function knowFile(path: string, fs: JournalFs): KnownFile {
  let identity: string | undefined;
  try {
    identity = identityOf(fs.statSync(path, { bigint: true }));
  } catch {
    // The first check that the disk answers learns it.
  }
  return {
    isStale: () =>
      new Promise((resolve) => {
        fs.stat(path, { bigint: true }, (error, found) => {
          if (error !== null) return resolve(['ENOENT', 'ENOTDIR'].includes(error.code ?? ''));
          identity ??= identityOf(found);
          resolve(identity !== identityOf(found));
        });
      }),
  };
}
