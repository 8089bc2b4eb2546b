import { useEffect } from 'preact/hooks';
import { base, go, query as params } from '../browser/location.ts';
import { MenuButton } from '../components/menu.tsx';
import { showFailure } from '../data/explain.ts';
import { type LinkQuery, narrows } from '../data/links/query.ts';
import { queryOfList, type View } from '../data/links/saved-views.ts';
import { loadViews, saveView, views } from '../data/links/views.ts';
import { notifyWithUndo } from '../data/undo.ts';
import { writesWait } from '../data/writes.ts';
import { filterWords } from './filters.tsx';
import { t } from './texts.ts';

/**
 * Menu of the account's saved views, which are the same on every device. A view's name lists its filters and sort
 * order.
 */
export function ViewsMenu({ query }: { readonly query: LinkQuery }) {
  useEffect(() => void loadViews(), []);
  const here = queryOfList(params.value);
  const kept = views.value ?? [];
  const current = kept.find((view) => view.query === here);
  return (
    <MenuButton
      kind="quiet"
      icon="bookmark"
      class="views"
      menuLabel={t.links.views}
      align="end"
      items={() => [
        ...kept.map((view) => ({
          label: view.name,
          isChosen: view.query === here,
          onSelect: () => go(`${base}/links${view.query}`),
        })),
        ...(kept.length === 0 ? [] : [undefined]),
        current === undefined
          ? {
              label: t.links.saveView,
              disabledReason: writesWait() ?? (here === '' ? t.links.noView : undefined),
              onSelect: () => void change({ name: nameOf(query), query: here }, true),
            }
          : {
              label: t.links.dropView,
              disabledReason: writesWait(),
              onSelect: () => void change(current, false),
            },
      ]}
    >
      {t.links.views}
    </MenuButton>
  );
}

async function change(view: View, isKept: boolean): Promise<void> {
  const [kept, dropped] = [t.links.viewKept(view.name), t.links.viewDropped(view.name)];
  try {
    await saveView(view, isKept);
    notifyWithUndo(isKept ? kept : dropped, isKept ? dropped : kept, () => saveView(view, !isKept));
  } catch (error) {
    showFailure(error);
  }
}

/**
 * Returns the name for a view, such as "print, Most clicks": the search, the filters, and any non-default sort order.
 */
function nameOf(query: LinkQuery): string {
  const { search, sort, order } = query;
  const isUsual = sort === 'createdAt' && order === 'desc';
  const words = [
    ...(search.trim() === '' ? [] : [`“${search.trim()}”`]),
    ...filterWords(query),
    ...(isUsual && narrows(query) ? [] : [t.links.sorts[sort][order]]),
  ];
  return words.join(', ');
}
