import { inputsOf } from '../../model/links/link-field-values.ts';
import type { ServerConnection } from '../terminal/references.ts';

/** Link fields that are exported to a manifest, except the folder and tags. */
const names = inputsOf('shorten').flatMap(({ name, kind }) =>
  kind === 'secret' || name === 'folderId' ? [] : [name as string],
);

/**
 * Returns a function that maps a folder's ID to the way a manifest refers to the folder: by its name if the name is
 * unique, otherwise by its ID.
 */
export async function folderNames({ client }: ServerConnection): Promise<(id: string) => string> {
  const folders = await client.listFolders();
  const times = new Map<string, number>();
  for (const { name } of folders) times.set(name, (times.get(name) ?? 0) + 1);
  const named = new Map(folders.map(({ id, name }) => [id, times.get(name) === 1 ? name : id]));
  return (id) => named.get(id) ?? id;
}

/** Returns a link in manifest format, without fields that are empty or false. */
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
