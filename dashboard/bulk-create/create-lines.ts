import { ApiError } from '../../src/client/client.ts';
import { api } from '../data/client.ts';
import { explain } from '../data/explain.ts';
import { folders, loadGroups } from '../data/groups.ts';
import { normalUrl } from '../data/links/addresses.ts';
import type { SentUtm } from '../data/links/utm.ts';
import { t as fieldTexts } from '../fields/texts.ts';
import type { Line } from './lines.ts';

/** Result for a line. `link` and `error` are undefined while the line is pending. */
export interface Result {
  readonly line: Line;
  readonly link?: { readonly id: string; readonly shortCode: string; readonly shortUrl: string };
  readonly error?: { readonly text: string; readonly isAboutUrl: boolean };
}

/** Defaults for all lines. `tags` are added to each line's tags. */
export interface Common {
  /** Host of the domain. Empty means the default domain. */
  readonly domain: string;
  readonly folderId: string | null;
  readonly tags: readonly string[];
  readonly utm: SentUtm | null;
}

/** Creates the link for a line. Never throws; errors are in the result. */
export async function createLine(line: Line, common: Common): Promise<Result> {
  const url = normalUrl(line.url);
  if (url === undefined) return { line, error: { text: fieldTexts.field.addressWrong, isAboutUrl: true } };
  const tags = [...new Set([...common.tags, ...line.tags])];
  const utm = { ...common.utm, ...line.utm };
  try {
    const link = await api.shorten({
      url,
      ...(line.domain || common.domain ? { domain: line.domain || common.domain } : {}),
      ...(line.code === '' ? {} : { customCode: line.code }),
      ...(line.title === '' ? {} : { title: line.title }),
      ...(line.expires === '' ? {} : { expiresAt: line.expires }),
      ...(tags.length === 0 ? {} : { tags }),
      ...(Object.keys(utm).length === 0 ? {} : { utm }),
      ...(line.folder === '' ? { folderId: common.folderId } : { folderId: await folderIdOf(line.folder) }),
    });
    return { line, link };
  } catch (error) {
    const isAboutUrl = error instanceof ApiError && error.details.some(({ field }) => field === 'url');
    return { line, error: { text: explain(error), isAboutUrl } };
  }
}

const beingMade = new Map<string, Promise<string>>();

/**
 * Returns the id of the folder with a given name or id. If several lines name the same missing folder, creates it only
 * once.
 */
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
