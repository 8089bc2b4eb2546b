const reasons: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOENT: 'no such file or directory',
  ENOTDIR: 'part of the path is a file, not a folder',
  EEXIST: 'the file already exists',
  EISDIR: 'it is a folder',
  ENOSPC: 'the disk is full',
  EDQUOT: 'disk quota exceeded',
  EMFILE: 'this process has too many open files',
  ENFILE: 'the system has too many open files',
  ENAMETOOLONG: 'the name is too long',
  ELOOP: 'the path contains a loop of symbolic links',
  EIO: 'disk I/O error',
};

/** Returns true for a system error about a file, folder or socket. */
export function isSystemError(
  error: unknown,
): error is Error & { readonly code: string; readonly path?: string } {
  return (
    error instanceof Error && 'code' in error && /^E[A-Z0-9]+$/.test(String(error.code)) && 'syscall' in error
  );
}

/**
 * Returns the reason why the system rejected access to a file or folder, as a clause with the error code and without
 * the path.
 */
export function reasonOf(error: unknown): string {
  if (!isSystemError(error)) return error instanceof Error ? error.message : String(error);
  const reason = reasons[error.code];
  return reason === undefined ? error.code : `${reason} (${error.code})`;
}
