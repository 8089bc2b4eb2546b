import { renameSync, writeFileSync } from 'node:fs';
import { isSeq, type YAMLMap } from 'yaml';
import { unwritable } from '../terminal/exits.ts';
import type { FullLink, ServerConnection } from '../terminal/references.ts';
import { type ManifestFile, textOfFile } from './files.ts';
import type { Change, Manifest } from './manifest.ts';
import { fieldsIn, folderNames } from './manifest-fields.ts';

/** Writes the server's values into the files of a manifest. @returns the paths of changed files */
export async function accept(
  connection: ServerConnection,
  manifest: Manifest,
  drifted: readonly Change[],
): Promise<readonly string[]> {
  const nameOf = await folderNames(connection);
  const changed = new Set<ManifestFile>();
  for (const { action, index, changes, customCode, domain } of drifted) {
    const row = index === null ? undefined : manifest.rows[index];
    const file = row?.file ?? (manifest.files[0] as ManifestFile);
    changed.add(file);
    const list = file.document.get('links', true);
    if (!isSeq(list)) continue;
    if (row === undefined) {
      const found = await connection.client.getLinkByCode(customCode, { domain });
      list.flow = false;
      list.add(file.document.createNode(newFields(file, found, nameOf)));
    } else if (action === 'restore') list.items.splice(list.items.indexOf(row.node), 1);
    else
      for (const [field, { from }] of Object.entries(changes)) setField(file, row.node, field, from, nameOf);
  }
  for (const file of changed) replaceFile(file.path, textOfFile(file));
  return [...changed].map(({ path }) => path);
}

function setField(
  file: ManifestFile,
  node: YAMLMap,
  field: string,
  value: unknown,
  nameOf: (id: string) => string,
): void {
  const { document } = file;
  if (field === 'folderId') {
    const folder = value === null ? 'none' : nameOf(value as string);
    node.delete('folderId');
    if (file.folder === folder || (file.folder === undefined && folder === 'none')) node.delete('folder');
    else node.set('folder', document.createNode(folder));
    return;
  }
  const isNone = value === null || value === false || (Array.isArray(value) && value.length === 0);
  // If the defaults contain another value, a missing value must be written explicitly.
  if (isNone && !Object.hasOwn(file.defaults, field)) node.delete(field);
  else {
    const held = node.get(field, true) as { value?: unknown; comment?: string | null } | undefined;
    const made = document.createNode(value) as { comment?: string | null };
    if (held?.comment) made.comment = held.comment;
    node.set(field, made);
  }
}

function newFields(file: ManifestFile, link: FullLink, nameOf: (id: string) => string): object {
  const { domain, folder, ...fields } = fieldsIn(link, nameOf) as Record<string, unknown>;
  const none = Object.keys(file.defaults).filter((name) => !Object.hasOwn(fields, name));
  return {
    ...fields,
    ...Object.fromEntries(none.map((name) => [name, null])),
    ...(domain !== file.domain && { domain }),
    ...(folder !== file.folder && { folder: folder ?? 'none' }),
  };
}

/** Replaces a file atomically. @throws Stop if the file cannot be written */
export function replaceFile(path: string, text: string): void {
  try {
    writeFileSync(`${path}.part`, text);
    renameSync(`${path}.part`, path);
  } catch (error) {
    throw unwritable(path, error);
  }
}
