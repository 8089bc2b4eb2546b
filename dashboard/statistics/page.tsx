import { useEffect } from 'preact/hooks';
import { base, go, query } from '../browser/location.ts';
import { Icon } from '../components/icon.tsx';
import { MenuButton, type MenuItem } from '../components/menu.tsx';
import { folders, tags } from '../data/groups.ts';
import type { Subject } from './model/answer.ts';
import { Statistics } from './statistics.tsx';
import { t } from './texts.ts';

interface PageProps {
  /** Of a link, below its head; otherwise the address says whose. */
  readonly subject?: Subject;
}

/** Statistics of the account, a folder or a tag; or of a link, on its own page. */
export function StatisticsPage({ subject }: PageProps) {
  return subject === undefined ? (
    <PageOfMany />
  ) : (
    <div class="page">
      <Statistics subject={subject} />
    </div>
  );
}

function PageOfMany() {
  const folderId = query.value.get('folder');
  const tagId = query.value.get('tag');
  const tag = tagId === null ? undefined : tags.value?.find(({ id, name }) => id === tagId || name === tagId);
  const { statistics } = t;
  useEffect(() => {
    document.title = t.title(statistics.title);
  }, []);
  // A tag may be named; until the tags are read there is nothing to ask.
  if (tagId !== null && tags.value === undefined) return null;
  const subject: Subject =
    folderId !== null
      ? { kind: 'folder', id: folderId }
      : tag !== undefined
        ? { kind: 'tag', id: tag.id }
        : { kind: 'account', id: '' };
  const name =
    folderId !== null
      ? (folders.value?.find(({ id }) => id === folderId)?.name ?? statistics.folder(''))
      : (tag?.name ?? statistics.all);
  return (
    <>
      <header class="page-head bounded">
        <div class="title">
          <h1>{statistics.title}</h1>
        </div>
        <MenuButton
          items={() => subjects(folderId, tag?.id ?? null)}
          menuLabel={statistics.subject}
          class="drop"
        >
          <Icon name={folderId !== null ? 'folder' : tag !== undefined ? 'hash' : 'link'} />
          {name}
          <Icon name="down" size={14} />
        </MenuButton>
      </header>
      <div class="page">
        <Statistics subject={subject} />
      </div>
    </>
  );
}

function subjects(folderId: string | null, tagId: string | null): (MenuItem | undefined)[] {
  const to = (of: Readonly<Record<string, string>>) => () => {
    const kept = new URLSearchParams(query.peek());
    for (const name of ['folder', 'tag']) kept.delete(name);
    for (const [name, value] of Object.entries(of)) kept.set(name, value);
    go(`${base}/statistics${kept.size === 0 ? '' : `?${kept}`}`);
  };
  return [
    { label: t.statistics.all, isChosen: folderId === null && tagId === null, onSelect: to({}) },
    ...(folders.value ?? []).map(({ id, name }) => ({
      label: t.statistics.folder(name),
      isChosen: id === folderId,
      onSelect: to({ folder: id }),
    })),
    ...(tags.value ?? []).map(({ id, name }) => ({
      label: t.statistics.tag(name),
      isChosen: id === tagId,
      onSelect: to({ tag: id }),
    })),
  ];
}
