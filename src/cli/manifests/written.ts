import { inputsOf } from '../../model/links/link-field-values.ts';
import type { Place } from '../terminal/references.ts';

/** The fields of links that are written into a manifest, but for folder and tags. */
const names = inputsOf('shorten').flatMap(({ name, kind }) =>
  kind === 'secret' || name === 'folderId' ? [] : [name as string],
);

/** What folders are called in a manifest, by their ids: by their names, where those are of one folder only. */
export async function folderNames({ client }: Place): Promise<(id: string) => string> {
  const folders = await client.listFolders();
  const times = new Map<string, number>();
  for (const { name } of folders) times.set(name, (times.get(name) ?? 0) + 1);
  const named = new Map(folders.map(({ id, name }) => [id, times.get(name) === 1 ? name : id]));
  return (id) => named.get(id) ?? id;
}

/** A link as a manifest has it: what it has not is left out. */
export function fieldsIn(link: object, nameOf: (id: string) => string): Record<string, unknown> {
  const values = link as Readonly<Record<string, unknown>>;
  const kept = names.filter((name) => values[name] != null && values[name] !== false);
  const { shortCode, destinationUrl, domain, folderId, tags } = values;
  return {
    customCode: shortCode,
    url: destinationUrl,
    domain,
    ...(typeof folderId === 'string' && { folder: nameOf(folderId) }),
    ...Object.fromEntries(kept.map((name) => [name, values[name]])),
    ...(Array.isArray(tags) && tags.length > 0 && { tags }),
  };
}
