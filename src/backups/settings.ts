import { resolve } from 'node:path';
import { fail, type Setting, setting, webAddress, wholeNumber } from '../runtime/setting-values.ts';
import { readSchedule } from './schedule.ts';

/**
 * Where backups are stored: a folder, or a bucket in an S3-compatible service with a prefix that is empty or ends in
 * `/`.
 */
export type BackupTarget = { readonly folder: string } | { readonly bucket: string; readonly prefix: string };

/** Parses `s3://BUCKET/PREFIX` or a path. @throws Error that describes the expected format */
export function readTarget(text: string): BackupTarget {
  if (!/^[a-z][a-z\d+.-]*:\/\//i.test(text)) return { folder: resolve(text) };
  const [, bucket, prefix = ''] =
    /^s3:\/\/([a-z\d][a-z\d.-]{1,61}[a-z\d])(?:\/([\w./-]*))?$/.exec(text) ?? [];
  if (bucket === undefined) return fail('must be a folder, or a bucket such as s3://my-backups/linkfold');
  return { bucket, prefix: prefix === '' ? '' : prefix.replace(/\/*$/, '/') };
}

export const backupSettings = {
  BACKUP_SCHEDULE: setting(
    'When to back up the SQLite database: a time of day in UTC such as 03:00, or an interval such as 6h. Unset: never.',
    null,
    readSchedule,
  ),
  BACKUP_TO: setting(
    'Where to store backups: a folder, or a bucket of an S3-compatible service such as s3://my-backups/linkfold.',
    null,
    readTarget,
  ),
  BACKUP_KEEP: setting('How many backups to keep in BACKUP_TO.', '14', wholeNumber(1, 10_000)),
  BACKUP_S3_ENDPOINT: setting(
    'URL of the S3-compatible service. Unset: Amazon S3 in BACKUP_S3_REGION.',
    null,
    webAddress,
  ),
  BACKUP_S3_REGION: setting('Region of the bucket.', 'us-east-1', (text) => text),
  BACKUP_S3_ACCESS_KEY_ID: setting('Access key ID for the bucket.', null, (text) => text, { secret: true }),
  BACKUP_S3_SECRET_ACCESS_KEY: setting('Secret access key for the bucket.', null, (text) => text, {
    secret: true,
  }),
} as const satisfies Record<string, Setting<unknown>>;

/** Returns a sentence for each invalid combination of backup settings. */
export function backupProblems(
  values: Readonly<Record<string, unknown>>,
  isPostgres: boolean,
): readonly string[] {
  const target = values['BACKUP_TO'] as BackupTarget | null | undefined;
  const problems: string[] = [];
  if (isPostgres && values['BACKUP_SCHEDULE'] != null)
    problems.push(
      'BACKUP_SCHEDULE only works with SQLite. Unset it, and back up PostgreSQL with pg_dump or your provider’s tools.',
    );
  else if (values['BACKUP_SCHEDULE'] != null && target == null)
    problems.push(
      'BACKUP_SCHEDULE requires BACKUP_TO: a folder, or a bucket such as s3://my-backups/linkfold.',
    );
  const hasKeys = values['BACKUP_S3_ACCESS_KEY_ID'] != null && values['BACKUP_S3_SECRET_ACCESS_KEY'] != null;
  if (target != null && 'bucket' in target && !hasKeys)
    problems.push(
      'BACKUP_TO is a bucket, which requires BACKUP_S3_ACCESS_KEY_ID and BACKUP_S3_SECRET_ACCESS_KEY.',
    );
  return problems;
}
