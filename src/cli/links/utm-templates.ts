import type { Command } from 'commander';
import type { RowOf } from '../terminal/kinds.ts';
import { optionOf } from '../terminal/options.ts';
import { type Column, clean, note } from '../terminal/print.ts';
import { addRecordVerb, addResource, addVerb } from '../terminal/resources.ts';

type Template = RowOf<'template'>;

const columns: readonly Column<Template>[] = [
  { title: 'ID', of: (template) => template.id, spare: 1 },
  { title: 'NAME', of: (template) => template.name, cut: true },
  { title: 'UTM', of: ({ utm }) => textOf(utm), cut: true },
];

function textOf(utm: Template['utm']): string {
  return Object.entries(utm)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ');
}

interface Change {
  readonly name?: string;
  readonly utm?: Template['utm'];
}

export function addUtmTemplates(program: Command): void {
  addResource(
    program,
    'template',
    {
      about: 'UTM parameter templates',
      columns: () => columns,
      none: 'No UTM templates yet. To create one: linkfold utm-templates create NAME --utm JSON',
      list: { about: 'List UTM templates', examples: [['linkfold utm-templates list', 'by name']] },
      get: {
        about: 'Show a UTM template',
        examples: [['linkfold utm-templates get autumn', 'by name or ID']],
      },
      delete: {
        about: 'Delete a UTM template; links keep their parameters',
        examples: [['linkfold utm-templates delete letter', 'no link changes']],
        run: (client, id) => client.deleteUtmTemplate(id),
      },
    },
    addOthers,
  );
}

function addOthers(templates: Command): void {
  addVerb(templates, 'create', {
    about: 'Save UTM parameters under a name',
    examples: [
      [
        `linkfold utm-templates create Newsletter --utm '{"source":"newsletter","medium":"email"}'`,
        'the dashboard offers it for new links',
      ],
    ],
    args: [['<name>', 'name, 1 to 50 characters']],
    options: [optionOf('utm').makeOptionMandatory()],
    run: ({ client }, [name]: [string], { utm = {} }: Change) => client.createUtmTemplate({ name, utm }),
    show: ({ name, utm }) => note(`Created UTM template ${clean(name)}: ${clean(textOf(utm))}.`),
  });

  addRecordVerb(templates, 'template', 'update', {
    about: 'Change a UTM template',
    examples: [['linkfold utm-templates update newsletter --name Letter', 'links keep their parameters']],
    options: [['--name <name>', 'new name, 1 to 50 characters'], optionOf('utm')],
    run: ({ client }, id, { name, utm }: Change) => client.updateUtmTemplate(id, { name, utm }),
    show: ({ name, utm }) => note(`Updated UTM template ${clean(name)}: ${clean(textOf(utm))}.`),
  });
}
