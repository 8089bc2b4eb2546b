const reasons: Readonly<Record<string, string>> = {
  EACCES: 'this user may not',
  EPERM: 'this user may not',
  EROFS: 'the file system is read-only',
  ENOENT: 'there is no such file or folder',
  ENOTDIR: 'a part of the path is a file, not a folder',
  EEXIST: 'a file of that name is there',
  EISDIR: 'it is a folder',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota of this user is used up',
  EMFILE: 'this process may not open more files',
  ENFILE: 'the machine has too many files open',
  ENAMETOOLONG: 'the name is too long',
  ELOOP: 'the symbolic links lead in a circle',
  EIO: 'the disk reports an error',
};

/** Returns true for a system error about a file, folder or socket. */
export function isSystemError(
  error: unknown,
): error is Error & { readonly code: string; readonly path?: string } {
  return (
    error instanceof Error && 'code' in error && /^E[A-Z0-9]+$/.test(String(error.code)) && 'syscall' in error
  );
}

/** Returns why the system refused a file or folder: a clause with the error code, without the path. */
export function reasonOf(error: unknown): string {
  if (!isSystemError(error)) return error instanceof Error ? error.message : String(error);
  const reason = reasons[error.code];
  return reason === undefined ? error.code : `${reason} (${error.code})`;
}
