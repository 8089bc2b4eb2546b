import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { asksToAdd, go, withQuery } from '../browser/location.ts';
import { useShortcuts } from '../browser/shortcuts.ts';
import { Button } from '../components/button.tsx';
import { Icon } from '../components/icon.tsx';
import type { IconName } from '../components/icons.ts';
import { type Column, Ledger, RowMenu } from '../components/ledger.tsx';
import type { MenuItem } from '../components/menu.tsx';
import { Page } from '../components/page.tsx';
import { Empty } from '../components/states.tsx';
import { loadGroups } from '../data/groups.ts';
import { writesWait } from '../data/writes.ts';
import { number } from '../texts/format.ts';
import { t } from './texts.ts';

interface Group {
  readonly id: string;
  readonly name: string;
  readonly linkCount: number;
}

interface GroupsProps<G extends Group> {
  /** The words of the screen. */
  readonly texts: Readonly<
    Record<'title' | 'about' | 'add' | 'name' | 'links' | 'none' | 'noneMore', string>
  >;
  readonly icon: IconName;
  /** Undefined until they are read. */
  readonly groups: readonly G[] | undefined;
  /** Where the links of one are listed. */
  readonly hrefOf: (group: G) => string;
  readonly itemsOf: (group: G) => readonly (MenuItem | undefined)[];
  /** A further column, between the number of links and the menu. */
  readonly more?: Column & { readonly of: (group: G) => string };
  /** The dialog that makes one. */
  readonly adding: (close: () => void) => ComponentChildren;
  /** Dialogs over the page. */
  readonly children: ComponentChildren;
}

/** A screen of folders or of tags. */
export function GroupsPage<G extends Group>(props: GroupsProps<G>) {
  const { texts, icon, groups, hrefOf, itemsOf, more, adding, children } = props;
  const why = writesWait();
  const add = () => go(withQuery({ add: '' }));
  useEffect(() => void loadGroups(), []);
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
