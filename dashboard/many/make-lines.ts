import { ApiError } from '../../src/client/client.ts';
import { api } from '../data/client.ts';
import { explain } from '../data/explain.ts';
import { folders, loadGroups } from '../data/groups.ts';
import { normalUrl } from '../data/links/addresses.ts';
import { t as fieldTexts } from '../fields/texts.ts';
import type { Line } from './lines.ts';

/** What became of a line; neither while it is not yet done. */
export interface Result {
  readonly line: Line;
  readonly link?: { readonly id: string; readonly shortCode: string; readonly shortUrl: string };
  readonly error?: { readonly text: string; readonly isAboutUrl: boolean };
}

/** Makes the link of one line, on the domain of a host where the line names none; empty for the default one. It does not throw: what is wrong stands in the result. */
export async function makeLine(line: Line, domain: string): Promise<Result> {
  const url = normalUrl(line.url);
  if (url === undefined) return { line, error: { text: fieldTexts.field.addressWrong, isAboutUrl: true } };
  try {
    const link = await api.shorten({
      url,
      ...(line.domain || domain ? { domain: line.domain || domain } : {}),
      ...(line.code === '' ? {} : { customCode: line.code }),
      ...(line.title === '' ? {} : { title: line.title }),
      ...(line.expires === '' ? {} : { expiresAt: line.expires }),
      ...(line.tags.length === 0 ? {} : { tags: [...line.tags] }),
      ...(line.folder === '' ? {} : { folderId: await folderIdOf(line.folder) }),
    });
    return { line, link };
  } catch (error) {
    const isAboutUrl = error instanceof ApiError && error.details.some(({ field }) => field === 'url');
    return { line, error: { text: explain(error), isAboutUrl } };
  }
}

const beingMade = new Map<string, Promise<string>>();

/** A folder by its name or id; one that is not there is made, once for all lines that name it. */
async function folderIdOf(name: string): Promise<string> {
  const found = (folders.peek() ?? []).find(
    (folder) => folder.id === name || folder.name.toLowerCase() === name.toLowerCase(),
  );
  if (found !== undefined) return found.id;
  const key = name.toLowerCase();
  const making =
    beingMade.get(key) ??
    api.createFolder({ name }).then(async ({ id }) => {
      await loadGroups();
      return id;
    });
  beingMade.set(key, making);
  try {
    return await making;
  } finally {
    beingMade.delete(key);
  }
}
