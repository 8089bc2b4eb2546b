import type { Command } from 'commander';
import type { Client } from '../../client/client.ts';
import { addGroup, list } from '../terminal/command.ts';
import { type Column, clean, count, note, plural, sayJson, sayTable, when } from '../terminal/print.ts';
import { tagId } from '../terminal/references.ts';
import { addServerCommand, openClient, openPlace, type RemoteOptions } from '../terminal/remote.ts';

type Tag = Awaited<ReturnType<Client['listTags']>>[number];

const columns: readonly Column<Tag>[] = [
  { title: 'ID', of: (tag) => tag.id, spare: 1 },
  { title: 'NAME', of: (tag) => tag.name, cut: true },
  { title: 'LINKS', of: (tag) => count(tag.linkCount), right: true },
  { title: 'CREATED', of: (tag) => when(tag.createdAt) },
];

/** `--tags` of commands that make or change links. */
export const tagsOption = ['--tags <list>', 'tags, separated by commas', list] as const;

export function addTags(program: Command): void {
  const tags = addGroup(program, 'tags', 'Tags of links, through a server');

  addServerCommand(tags, 'list', 'List tags with the number of their links', {
    examples: [['linkfold tags list', 'in the order of their names']],
  }).action(async (options: RemoteOptions) => {
    const found = await (await openClient(options)).listTags();
    if (options.json) sayJson(found);
    else if (found.length === 0) note('There are no tags.');
    else sayTable(found, columns);
  });

  addServerCommand(tags, 'rename', 'Rename a tag', {
    examples: [['linkfold tags rename spring easter', 'its links keep it']],
  })
    .argument('<tag>', 'name or id of the tag')
    .argument('<name>', 'new name, 1 to 50 characters')
    .action(async (given: string, name: string, options: RemoteOptions) => {
      const place = await openPlace(options);
      const tag = await place.client.renameTag(await tagId(place, given), { name });
      if (options.json) sayJson(tag);
      else note(`Renamed tag ${clean(given)}: it is ${clean(tag.name)} now.`);
    });

  addServerCommand(tags, 'merge', 'Merge a tag into another: its links carry that one instead', {
    examples: [['linkfold tags merge sprnig spring', 'the first one is gone']],
  })
    .argument('<tag>', 'name or id of the tag that goes')
    .argument('<into>', 'name or id of the tag that stays')
    .action(async (given: string, stays: string, options: RemoteOptions) => {
      const place = await openPlace(options);
      const into = await tagId(place, stays);
      const tag = await place.client.mergeTags(await tagId(place, given), { into });
      if (options.json) sayJson(tag);
      else
        note(
          `Merged tag ${clean(given)} into ${clean(tag.name)}, with ${plural(tag.linkCount, 'link')} now.`,
        );
    });

  addServerCommand(tags, 'rm', 'Delete a tag; its links are kept, without it', {
    examples: [['linkfold tags rm spring', 'no link is deleted']],
  })
    .argument('<tag>', 'name or id of the tag')
    .action(async (given: string, options: RemoteOptions) => {
      const place = await openPlace(options);
      const id = await tagId(place, given);
      await place.client.deleteTag(id);
      if (options.json) sayJson({ deleted: [id] });
      else note(`Deleted tag ${clean(given)}.`);
    });
}
