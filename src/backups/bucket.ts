import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { S3mini, S3NetworkError } from 's3mini';
import { reasonOf } from '../runtime/files/file-faults.ts';
import { makeFolder } from '../runtime/files/make-folder.ts';
import { type BackupStore, isBackupName, removeLeftovers } from './store.ts';

export interface BucketOptions {
  /** Folder for temporary files, which are as large as a backup. */
  readonly workFolder: string;
  readonly endpoint: string | null;
  readonly region: string;
  readonly accessKeyId: string | null;
  readonly secretAccessKey: string | null;
}

const mebibyte = 1_048_576;
/**
 * Size of each part of a multipart upload, in bytes. S3 allows at most 10,000 parts per object, each of at least 5 MiB.
 */
const partBytes = 16 * mebibyte;
const maxParts = 9_000;
const attempts = 4;
const firstPauseMs = 500;

/** Opens a bucket in an S3-compatible service. Object names are `prefix` followed by the name of the backup. */
export function openBucket(
  { bucket, prefix }: { readonly bucket: string; readonly prefix: string },
  { endpoint, region, accessKeyId, secretAccessKey, workFolder }: BucketOptions,
): BackupStore {
  const base = (endpoint ?? `https://s3.${region}.amazonaws.com`).replace(/\/*$/, '');
  const s3 = new S3mini({
    accessKeyId: accessKeyId ?? '',
    secretAccessKey: secretAccessKey ?? '',
    endpoint: `${base}/${bucket}`,
    region,
  });
  const name = `s3://${bucket}/${prefix}`;
  const perform = async <T>(what: string, work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw new Error(`${what} failed: ${explain(error, base)}`, { cause: error });
    }
  };
  const download = async (key: string): Promise<Readable> => {
    const answer = await s3.getObjectResponse(key);
    if (answer?.body == null) throw new Error('there is no such object');
    return Readable.fromWeb(answer.body as import('node:stream/web').ReadableStream);
  };

  return {
    name,
    list: () =>
      perform(`Listing ${name}`, async () => {
        const objects = (await s3.listObjects('/', prefix)) ?? [];
        return objects
          .map(({ Key, Size }) => ({ name: Key.slice(prefix.length), bytes: Number(Size) }))
          .filter((one) => isBackupName(one.name))
          .sort((one, other) => (one.name < other.name ? -1 : 1));
      }),
    async add(backup, write) {
      makeFolder(workFolder, 0o700);
      removeLeftovers(workFolder);
      // The file has the name of an unfinished backup, so that the next run removes it if this process is killed.
      const path = join(workFolder, `${backup}.part-upload`);
      try {
        const result = await write(path);
        const sent = await perform(`Uploading ${name}${backup}`, () => upload(s3, prefix + backup, path));
        const stored = await perform(`Reading ${name}${backup} back`, async () =>
          digestOf(await download(prefix + backup)),
        );
        if (stored !== sent) {
          await s3.deleteObject(prefix + backup);
          throw new Error(
            `${name}${backup} differs from the uploaded backup. The object was removed; run the backup again.`,
          );
        }
        return result;
      } finally {
        await rm(path, { force: true });
      }
    },
    async read(backup, read) {
      makeFolder(workFolder, 0o700);
      const path = join(workFolder, `${backup}.part-download`);
      try {
        await perform(`Downloading ${name}${backup}`, async () =>
          pipeline(await download(prefix + backup), createWriteStream(path, { mode: 0o600 })),
        );
        return await read(path);
      } finally {
        await rm(path, { force: true });
      }
    },
    remove: (backup) =>
      perform(`Removing ${name}${backup}`, async () => {
        await s3.deleteObject(prefix + backup);
      }),
  };
}

async function digestOf(bytes: Readable): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of bytes) hash.update(chunk as Uint8Array);
  return hash.digest('hex');
}

/** Uploads a file in parts. @returns the file's SHA-256 in hex */
async function upload(s3: S3mini, key: string, path: string): Promise<string> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const length = Math.max(partBytes, Math.ceil(size / maxParts));
    if (size <= length) {
      const bytes = await read(file, 0, size);
      await withRetry(() => s3.putObject(key, bytes));
    } else await uploadParts(s3, key, file, size, length);
  } finally {
    await file.close();
  }
  return digestOf(createReadStream(path));
}

async function uploadParts(
  s3: S3mini,
  key: string,
  file: FileHandle,
  size: number,
  length: number,
): Promise<void> {
  const uploadId = await withRetry(() => s3.getMultipartUploadId(key));
  try {
    const parts: { partNumber: number; etag: string }[] = [];
    for (let from = 0; from < size; from += length) {
      const bytes = await read(file, from, Math.min(length, size - from));
      parts.push(await withRetry(() => s3.uploadPart(key, uploadId, bytes, parts.length + 1)));
    }
    await withRetry(() => s3.completeMultipartUpload(key, uploadId, parts));
  } catch (error) {
    await s3.abortMultipartUpload(key, uploadId).catch(() => {});
    throw error;
  }
}

async function read(file: FileHandle, from: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  for (let done = 0; done < length; ) {
    const { bytesRead } = await file.read(bytes, done, length - done, from + done);
    if (bytesRead === 0) throw new Error('the file was truncated during the upload');
    done += bytesRead;
  }
  return bytes;
}

/** Sends a request, and retries it after network errors and 5xx statuses. Other errors are not retried. */
async function withRetry<T>(request: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await request();
    } catch (error) {
      const status = statusOf(error);
      if (attempt === attempts || (status !== undefined && status < 500 && status !== 429)) throw error;
      await sleep(firstPauseMs * 2 ** attempt);
    }
  }
}

function statusOf(error: unknown): number | undefined {
  const status = (error as { status?: unknown }).status;
  return typeof status === 'number' ? status : undefined;
}

/** Returns a message that explains why a request failed and how to fix it. It contains no secrets. */
function explain(error: unknown, base: string): string {
  const status = statusOf(error);
  if (status === 403)
    return 'access denied. Check BACKUP_S3_ACCESS_KEY_ID, BACKUP_S3_SECRET_ACCESS_KEY and the key’s permissions.';
  if (status === 404) return 'the bucket or the object does not exist. Check BACKUP_TO.';
  if (status === 301 || status === 400)
    return `the service rejected the request (status ${status}). Check BACKUP_S3_REGION and BACKUP_S3_ENDPOINT.`;
  if (status !== undefined) return `the service returned status ${status}.`;
  // `fetch` throws a TypeError whose cause contains the reason.
  const cause = error instanceof TypeError ? error.cause : error;
  if (cause !== error || error instanceof S3NetworkError)
    return `${base} cannot be reached (${(cause as Error).message}). Check BACKUP_S3_ENDPOINT.`;
  return `${reasonOf(error)}.`;
}
