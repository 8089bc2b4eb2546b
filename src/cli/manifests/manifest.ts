import type { ManifestLink, ManifestPlan } from '../../client/client.ts';
import { ApiError } from '../../client/errors.ts';
import { exits, Stop } from '../terminal/exits.ts';
import { folderIdOrNone } from '../terminal/kinds.ts';
import { clean } from '../terminal/print.ts';
import type { ServerConnection } from '../terminal/references.ts';
import { type FileLink, type ManifestFile, readManifest } from './files.ts';

/** The links from all files of a manifest, in order and in API format. */
export interface Manifest {
  readonly name: string;
  readonly files: readonly ManifestFile[];
  readonly rows: readonly (FileLink & { readonly file: ManifestFile })[];
  readonly links: readonly ManifestLink[];
}

export type Change = ManifestPlan['changes'][number];

/** Reads files, and looks up the names in them on the server. @throws Stop if a file is invalid or a name is unknown */
export async function openManifest(
  connection: ServerConnection,
  paths: readonly string[],
): Promise<Manifest> {
  const files = await readManifest(paths);
  const folders = new Map<string, Promise<string | null>>();
  const folderOf = (text: string): Promise<string | null> =>
    folders.getOrInsertComputed(text, () => folderIdOrNone(connection, text));
  const rows = files.flatMap((file) => file.links.map((link) => ({ ...link, file })));
  const links: ManifestLink[] = [];
  for (const { file, fields } of rows) {
    const { folder = file.folder, ...own } = fields;
    const movedFrom = [...file.moved].find(([, code]) => code === own['customCode'])?.[0];
    links.push({
      ...(file.domain !== undefined && { domain: file.domain }),
      ...(typeof folder === 'string' && { folderId: await folderOf(folder) }),
      ...file.defaults,
      ...own,
      ...(movedFrom !== undefined && { movedFrom }),
    } as ManifestLink);
  }
  return { name: files[0]?.manifest ?? '', files, rows, links };
}

/** Returns the file and line of a link for display. */
export function locationOf({ rows }: Manifest, index: number | null): string {
  const row = index === null ? undefined : rows[index];
  return row === undefined ? '' : `${row.file.path}:${row.line}`;
}

/** Calls `call`, and adds the file and line to validation errors. */
export async function withLines<T>(manifest: Manifest, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'BULK_REFUSED') throw error;
    const lines = error.details.map(({ field, message }) => {
      const at = Number(/^links\[(\d+)\]/.exec(field)?.[1] ?? Number.NaN);
      const code = manifest.links[at]?.customCode;
      return `${locationOf(manifest, at)}: ${clean(`${code ?? ''}: ${message.replace(/^links\[\d+\]: /, '')}`)}`;
    });
    const { status, code, details } = error;
    // The server's message ends with the first validation error. That error is removed from the message, because
    // `lines` lists it with its file and line.
    const message = [error.message.replace(details[0]?.message ?? '', '').trim(), ...lines].join('\n');
    throw new Stop(exits.refused, message, { code, message: error.message, status, details });
  }
}
