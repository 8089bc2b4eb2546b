import { useEffect, useState } from 'preact/hooks';
import { api } from '../data/client.ts';
import { folders, tags } from '../data/groups.ts';
import { filterNames, type LinkQuery, toInput } from '../data/links/query.ts';
import { me } from '../data/session-state.ts';

/**
 * Returns the link count that the sidebar shows for a list. The count includes archived links. Returns undefined if the
 * sidebar does not contain the list.
 */
function sidebarCount({ search, folderId, tag, withoutTag, ...others }: LinkQuery): number | undefined {
  const isNarrow =
    search !== '' || withoutTag || filterNames.some((name) => others[name as keyof typeof others]);
  if (isNarrow || (folderId !== undefined && tag !== undefined)) return undefined;
  if (tag !== undefined) return tags.value?.find(({ name }) => name === tag)?.linkCount;
  if (folderId === undefined) return me.value?.usage.links;
  return folders.value?.find(({ id }) => id === folderId)?.linkCount;
}

/**
 * Returns the number of archived links that the sidebar counts but the list does not show. Returns undefined while
 * loading.
 */
export function useArchived(query: LinkQuery, total: number | undefined): number | undefined {
  const differs = total !== undefined && (sidebarCount(query) ?? 0) > total;
  const input = JSON.stringify({ ...toInput({ ...query, status: 'archived' }), limit: 1 });
  const [answer, setAnswer] = useState<{ readonly input: string; readonly archived: number }>();
  useEffect(() => {
    if (!differs) return setAnswer(undefined);
    const set = (archived: number) => setAnswer({ input, archived });
    api.listLinks(JSON.parse(input) as { readonly archived: 'true' }).then(
      ({ pagination }) => set(pagination.total),
      () => set(0),
    );
  }, [differs, input]);
  if (!differs) return 0;
  return answer?.input === input ? answer.archived : undefined;
}
