import { useEffect, useRef, useState } from 'preact/hooks';
import { base, go, query } from '../browser/location.ts';
import { Button } from '../components/button.tsx';
import { type Option, Picker } from '../components/combobox.tsx';
import { Icon } from '../components/icon.tsx';
import { Popover } from '../components/popover.tsx';
import { ScreenSkeleton } from '../components/states.tsx';
import { folders, groupOptions, tags } from '../data/groups.ts';
import { allLinks, type Subject } from './model/answer.ts';
import { Statistics } from './statistics.tsx';
import { t } from './texts.ts';

interface PageProps {
  /** Set on a link's own page. On other pages, the URL contains the subject. */
  readonly subject?: Subject;
}

/** Statistics page for the account, a folder or a tag, or the statistics section of a link's page. */
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
  // Wait until the tags are loaded, because the URL may contain a tag name.
  if (tagId !== null && tags.value === undefined) return <ScreenSkeleton />;
  const subject: Subject =
    folderId !== null
      ? { kind: 'folder', id: folderId }
      : tag !== undefined
        ? { kind: 'tag', id: tag.id }
        : allLinks;
  const name =
    folderId !== null
      ? (folders.value?.find(({ id }) => id === folderId)?.name ?? statistics.folder(''))
      : (tag?.name ?? statistics.all);
  const current = subject.kind === 'account' ? '' : `${subject.kind}:${subject.id}`;
  return (
    <>
      <header class="page-head bounded">
        <div class="title">
          <h1>{statistics.title}</h1>
        </div>
        <Button href={`${base}/compare${current && `?of=${current}`}`}>{t.places.compare}</Button>
        <Scope name={name} current={current} />
      </header>
      <div class="page">
        <Statistics subject={subject} />
      </div>
    </>
  );
}

interface ScopeProps {
  readonly name: string;
  /** Current subject: `folder:<id>`, `tag:<id>`, or empty for all links. */
  readonly current: string;
}

/** Menu that selects the subject: all links, a folder or a tag. */
function Scope({ name, current }: ScopeProps) {
  const [isOpen, setOpen] = useState(false);
  const anchor = useRef<HTMLButtonElement>(null);
  const options: readonly Option[] = [
    { value: '', label: t.statistics.all, icon: 'link' },
    ...groupOptions(),
  ];
  const choose = (of: string) => {
    const kept = new URLSearchParams(query.peek());
    for (const each of ['folder', 'tag']) kept.delete(each);
    const search = [of.replace(':', '='), kept.toString()].filter(Boolean).join('&');
    setOpen(false);
    go(`${base}/statistics${search && `?${search}`}`);
  };
  return (
    <>
      <Button
        class="drop"
        rest={{ ref: anchor, 'aria-haspopup': 'dialog', 'aria-expanded': isOpen }}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name={options.find(({ value }) => value === current)?.icon ?? 'folder'} />
        <span class="cut">{name}</span>
        <Icon name="down" size={14} />
      </Button>
      {isOpen && (
        <Popover anchor={anchor} class="menu" label={t.statistics.subject} onClose={() => setOpen(false)}>
          <Picker
            label={t.statistics.subject}
            options={options}
            isChosen={(value) => value === current}
            onTake={({ value }) => choose(value)}
          />
        </Popover>
      )}
    </>
  );
}
