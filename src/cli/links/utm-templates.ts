import type { Command } from 'commander';
import type { Client } from '../../client/client.ts';
import { addGroup } from '../terminal/command.ts';
import { optionOf } from '../terminal/options.ts';
import { type Column, clean, note, sayJson, sayTable } from '../terminal/print.ts';
import { utmTemplateId } from '../terminal/references.ts';
import { addServerCommand, openClient, openPlace, type RemoteOptions } from '../terminal/remote.ts';

type Template = Awaited<ReturnType<Client['listUtmTemplates']>>[number];

const columns: readonly Column<Template>[] = [
  { title: 'ID', of: (template) => template.id, spare: 1 },
  { title: 'NAME', of: (template) => template.name, cut: true },
  { title: 'UTM', of: ({ utm }) => wordsOf(utm), cut: true },
];

function wordsOf(utm: Template['utm']): string {
  return Object.entries(utm)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ');
}

interface ChangeOptions extends RemoteOptions {
  readonly name?: string;
  readonly utm?: Template['utm'];
}

export function addUtmTemplates(program: Command): void {
  const templates = addGroup(program, 'utm-templates', 'UTM parameters that go together, through a server');

  addServerCommand(templates, 'list', 'List UTM templates', {
    examples: [['linkfold utm-templates list', 'in the order of their names']],
  }).action(async (options: RemoteOptions) => {
    const found = await (await openClient(options)).listUtmTemplates();
    if (options.json) sayJson(found);
    else if (found.length === 0) note('There are no UTM templates.');
    else sayTable(found, columns);
  });

  addServerCommand(templates, 'create', 'Keep UTM parameters under a name', {
    examples: [
      [
        `linkfold utm-templates create Newsletter --utm '{"source":"newsletter","medium":"email"}'`,
        'the dashboard offers it',
      ],
    ],
  })
    .argument('<name>', 'its name, 1 to 50 characters')
    .addOption(optionOf('utm').makeOptionMandatory())
    .action(async (name: string, options: ChangeOptions) => {
      const made = await (await openClient(options)).createUtmTemplate({ name, utm: options.utm ?? {} });
      if (options.json) sayJson(made);
      else note(`Made UTM template ${clean(made.name)}: ${clean(wordsOf(made.utm))}.`);
    });

  addServerCommand(templates, 'update', 'Rename a UTM template, or set its parameters', {
    examples: [['linkfold utm-templates update newsletter --name Letter', 'links keep what they have']],
  })
    .argument('<template>', 'name or id of the template')
    .option('--name <name>', 'new name, 1 to 50 characters')
    .addOption(optionOf('utm'))
    .action(async (given: string, options: ChangeOptions) => {
      const place = await openPlace(options);
      const { name, utm } = options;
      const change = { ...(name !== undefined && { name }), ...(utm !== undefined && { utm }) };
      const changed = await place.client.updateUtmTemplate(await utmTemplateId(place, given), change);
      if (options.json) sayJson(changed);
      else note(`UTM template ${clean(changed.name)}: ${clean(wordsOf(changed.utm))}.`);
    });

  addServerCommand(templates, 'rm', 'Delete a UTM template; links keep their parameters', {
    examples: [['linkfold utm-templates rm newsletter', 'no link is changed']],
  })
    .argument('<template>', 'name or id of the template')
    .action(async (given: string, options: RemoteOptions) => {
      const place = await openPlace(options);
      const id = await utmTemplateId(place, given);
      await place.client.deleteUtmTemplate(id);
      if (options.json) sayJson({ deleted: [id] });
      else note(`Deleted UTM template ${clean(given)}.`);
    });
}
