import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { asksToAdd, go, withQuery } from '../browser/location.ts';
import { useShortcuts } from '../browser/shortcuts.ts';
import { Button } from '../components/button.tsx';
import { Icon } from '../components/icon.tsx';
import type { IconName } from '../components/icons.ts';
import { type Column, Ledger, RowMenu } from '../components/ledger.tsx';
import type { MenuItem } from '../components/menu.tsx';
import { Page } from '../components/page.tsx';
import { Sparkline } from '../components/sparkline.tsx';
import { Empty } from '../components/states.tsx';
import { loadGroups } from '../data/groups.ts';
import { may } from '../data/session-state.ts';
import { writesWait } from '../data/writes.ts';
import { number } from '../texts/format.ts';
import { t } from './texts.ts';

interface Group {
  readonly id: string;
  readonly name: string;
  readonly linkCount: number;
}

/** Daily clicks for a folder or tag, if loaded. */
interface GroupDays {
  readonly id: string;
  readonly clicksByDay?: readonly number[] | undefined;
}

interface GroupsProps<G extends Group> {
  /** UI strings for the screen. */
  readonly texts: Readonly<
    Record<'title' | 'about' | 'add' | 'name' | 'links' | 'none' | 'noneMore', string>
  >;
  readonly icon: IconName;
  /** The folders or tags. Undefined until they are loaded. */
  readonly groups: readonly G[] | undefined;
  /** Loads each group's clicks for the last 30 days. */
  readonly readDays: () => Promise<readonly GroupDays[]>;
  /** URL of a group's statistics. */
  readonly clicksHrefOf: (group: G) => string;
  /** URL of a group's links. */
  readonly hrefOf: (group: G) => string;
  readonly itemsOf: (group: G) => readonly (MenuItem | undefined)[];
  /** Additional column between the link count and the menu. */
  readonly more?: Column & { readonly of: (group: G) => string };
  /** Dialog that creates a group. */
  readonly adding: (close: () => void) => ComponentChildren;
  /** Additional dialogs, such as the one that renames a group. */
  readonly children: ComponentChildren;
}

/** Screen that lists folders or tags. */
export function GroupsPage<G extends Group>(props: GroupsProps<G>) {
  const { texts, icon, groups, readDays, clicksHrefOf, hrefOf, itemsOf, more, adding, children } = props;
  const hasDays = may('analytics:read');
  const days = useDays(hasDays ? groups : undefined, readDays);
  const why = writesWait();
  const add = () => go(withQuery({ add: '' }));
  useEffect(() => void loadGroups(true), []);
  useShortcuts({ c: () => (why === undefined ? add() : false) });
  const button = (keys?: 'c') => (
    <Button kind="primary" icon="plus" {...(keys && { keys })} disabledReason={why} onClick={add}>
      {texts.add}
    </Button>
  );
  return (
    <Page title={texts.title} about={texts.about} actions={button('c')}>
      {groups?.length === 0 ? (
        <Empty title={texts.none} hasPicture ways={button()}>
          {texts.noneMore}
        </Empty>
      ) : (
        <Ledger
          columns={[
            { name: texts.name },
            { name: texts.links, class: 'number' },
            ...(hasDays
              ? ([
                  { name: t.sparkline.days, class: 'number wide' },
                  { name: t.sparkline.clicks, class: 'number' },
                ] as const)
              : []),
            ...(more === undefined ? [] : [more]),
            { name: t.more, class: 'unseen' },
          ]}
        >
          {groups?.map((group) => (
            <tr key={group.id}>
              <td>
                <a class="plain name with-icon" href={hrefOf(group)}>
                  <Icon name={icon} />
                  <b dir="auto">{group.name}</b>
                </a>
              </td>
              <td class="number">{number(group.linkCount)}</td>
              {hasDays && <Days days={days?.get(group.id)} href={clicksHrefOf(group)} />}
              {more !== undefined && <td class={`${more.class} soft`}>{more.of(group)}</td>}
              <td>
                <RowMenu label={t.moreFor(group.name)} items={() => itemsOf(group)} />
              </td>
            </tr>
          ))}
        </Ledger>
      )}
      {asksToAdd() && adding(() => go(withQuery({ add: null }), { replace: true }))}
      {children}
    </Page>
  );
}

/** Table cells with the clicks on a group's links in 30 days, per day and in total. Empty until loaded. */
function Days({ days, href }: { readonly days: readonly number[] | undefined; readonly href: string }) {
  return (
    <>
      <td class="number wide">{days !== undefined && <Sparkline days={days} />}</td>
      <td class="number">
        {days !== undefined && (
          <a class="plain clicks" href={href}>
            {number(days.reduce((sum, clicks) => sum + clicks, 0))}
          </a>
        )}
      </td>
    </>
  );
}

/** Loads all groups' daily clicks in one request. Reloads them when groups or their link counts change. */
function useDays(
  groups: readonly Group[] | undefined,
  read: () => Promise<readonly GroupDays[]>,
): ReadonlyMap<string, readonly number[]> | undefined {
  const [days, setDays] = useState<ReadonlyMap<string, readonly number[]>>();
  const key = groups?.map(({ id, linkCount }) => `${id} ${linkCount}`).join();
  useEffect(() => {
    if (key === undefined) return undefined;
    let isOver = false;
    read().then(
      (found) => isOver || setDays(new Map(found.map(({ id, clicksByDay = [] }) => [id, clicksByDay]))),
      () => {}, // the list is useful without clicks
    );
    return () => {
      isOver = true;
    };
  }, [key]);
  return days;
}
