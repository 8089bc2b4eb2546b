import type { Command } from 'commander';
import { idOf, type RowOf } from '../terminal/kinds.ts';
import { type Column, clean, count, note, plural, when } from '../terminal/print.ts';
import { addRecordVerb, addResource, addVerb } from '../terminal/resources.ts';

const columns: readonly Column<RowOf<'tag'>>[] = [
  { title: 'ID', of: (tag) => tag.id, spare: 1 },
  { title: 'NAME', of: (tag) => tag.name, cut: true },
  { title: 'LINKS', of: (tag) => count(tag.linkCount), right: true },
  { title: 'CREATED', of: (tag) => when(tag.createdAt) },
];

export function addTags(program: Command): void {
  addResource(
    program,
    'tag',
    {
      about: 'Tags on links',
      columns: () => columns,
      none: 'No tags yet. To create one: linkfold tags create NAME',
      list: {
        about: 'List tags and how many links have them',
        examples: [['linkfold tags list', 'by name']],
      },
      get: { about: 'Show a tag', examples: [['linkfold tags get easter', 'by name or ID']] },
      delete: {
        about: 'Delete a tag and keep its links',
        examples: [['linkfold tags delete spring', 'no link is deleted']],
        run: (client, id) => client.deleteTag(id),
      },
    },
    addOthers,
  );
}

function addOthers(tags: Command): void {
  addVerb(tags, 'create', {
    about: 'Create a tag; adding a new tag to a link also creates it',
    examples: [['linkfold tags create autumn', 'names are unique, ignoring case']],
    args: [['<name>', 'name, 1 to 50 characters']],
    run: ({ client }, [name]: [string]) => client.createTag({ name }),
    show: ({ name }) => note(`Created tag ${clean(name)}.`),
  });

  addRecordVerb(tags, 'tag', 'update', {
    about: 'Change a tag',
    examples: [['linkfold tags update easter --name Easter', 'links keep the tag']],
    options: [['--name <name>', 'new name, 1 to 50 characters']],
    run: ({ client }, id, { name }: { readonly name: string }) => client.renameTag(id, { name }),
    show: ({ name }) => note(`Updated tag ${clean(name)}.`),
  });

  addRecordVerb(tags, 'tag', 'rename', {
    about: 'Rename a tag',
    examples: [['linkfold tags rename easter holidays', 'links keep the tag']],
    args: [['<name>', 'new name, 1 to 50 characters']],
    run: ({ client }, id, _options: object, name: string) => client.renameTag(id, { name }),
    show: ({ name }, [tag]) => note(`Renamed tag ${clean(tag)} to ${clean(name)}.`),
  });

  addVerb(tags, 'merge', {
    about: 'Merge a tag into another one, on all its links',
    examples: [['linkfold tags merge sprnig spring', 'deletes the first tag']],
    args: [
      ['<tag>', 'name or ID of the tag to merge and delete'],
      ['<into>', 'name or ID of the tag to keep'],
    ],
    run: async (connection, [tag, into]: [string, string]) => {
      const kept = await idOf(connection, 'tag', into);
      return connection.client.mergeTags(await idOf(connection, 'tag', tag), { into: kept });
    },
    show: ({ name, linkCount }, [tag]) =>
      note(`Merged tag ${clean(tag)} into ${clean(name)}, now on ${plural(linkCount, 'link')}.`),
  });
}
