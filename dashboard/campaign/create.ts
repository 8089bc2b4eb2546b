import { api } from '../data/client.ts';
import { changed } from '../data/links/changes.ts';
import { changeEach } from '../data/links/each.ts';
import { notifyWithUndo } from '../data/undo.ts';
import { type Channel, codeOf, utmOf } from './channels.ts';
import { t } from './texts.ts';

/** Fields shared by all links in a campaign. */
export interface Campaign {
  readonly url: string;
  readonly name: string;
  /** Host of the domain. Undefined means the default domain. */
  readonly domain: string | undefined;
  readonly folderId: string | null;
  readonly tags: readonly string[];
}

/**
 * Creates a link for each channel in one request, with a single undo.
 * @returns the channels, each with its link or error
 * @throws if the request fails and no link was created
 */
export async function createLinks(campaign: Campaign, channels: readonly Channel[]): Promise<Channel[]> {
  const { url, name, domain, folderId, tags } = campaign;
  const links = channels.map((channel) => {
    const customCode = codeOf(channel, name);
    return {
      url,
      title: [name.trim(), channel.name].filter((part) => part !== '').join(' · '),
      utm: utmOf(channel, name),
      folderId,
      tags: [...tags],
      ...(domain !== undefined && { domain }),
      ...(customCode !== '' && { customCode }),
    };
  });
  const { results } = await api.bulkLinks({ action: 'create', links });
  const made = channels.map((channel, at): Channel => {
    const { link, error } = results[at] ?? {};
    return link == null
      ? { ...channel, error: error?.message ?? '' }
      : { ...channel, link, error: undefined };
  });
  const ids = made.flatMap(({ link }) => link?.id ?? []);
  if (ids.length > 0)
    notifyWithUndo(t.campaign.created(ids.length), t.campaign.undone(ids.length), async () => {
      await changeEach(ids, { action: 'delete' });
      await changed();
    });
  void changed();
  return made;
}
