import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tools } from '../../src/api/assistants/tools.ts';
import { group } from '../../src/client/groups.ts';
import { settings } from '../../src/config.ts';
import { endpoints } from '../../src/contract/endpoints/endpoints.ts';
import { errors } from '../../src/contract/errors.ts';
import { reasons } from '../../src/model/failures.ts';
import { knows, mayImport } from '../../test/house/import-table.ts';
import { apiParts, endpointBlocks, endpointPart, headingOf } from './api.ts';
import { code, table, withBlocks, withSections } from './blocks.ts';
import { settingNames } from './chart.ts';
import {
  commandBlocks,
  commandContents,
  headingOf as commandHeading,
  commandPart,
  connectionPart,
} from './commands.ts';

// Regenerates the generated blocks of docs/.

const root = join(import.meta.dirname, '..', '..');

type Make = (name: string, before: string) => string;

/** Regenerates a table but keeps its hand-written last column. */
function withLastColumn(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  before: string,
): string {
  const kept = new Map(
    before.split('\n').map((line) => {
      const cells = line.slice(1, -1).split(/(?<!\\)\|/);
      return [cells[0]?.trim(), cells.at(-1)?.trim() ?? ''];
    }),
  );
  return table(
    head,
    rows.map((row) => [...row, kept.get(row[0]) ?? '']),
  );
}

const commandParts: Readonly<Record<string, () => string>> = {
  contents: commandContents,
  connection: connectionPart,
};

const makers: Readonly<Record<string, Make>> = {
  'docs/api.md': (name) => apiParts[name]?.() ?? endpointPart(name.replace('endpoint ', '')),
  'docs/cli.md': (name) => commandParts[name]?.() ?? commandPart(name),
  'docs/client.md': () =>
    table(
      ['Resource', 'Functions'],
      Object.entries(group(endpoints, endpoints)).map(([resource, calls]) => [
        code(resource),
        Object.keys(calls).map(code).join(', '),
      ]),
    ),
  'docs/configuration.md': () =>
    table(
      ['Setting', 'Default', 'From a file', 'Meaning'],
      Object.entries(settings).map(([name, setting]) => [
        code(name),
        setting.fallback ? code(setting.fallback) : '–',
        'secret' in setting || 'file' in setting ? code(`${name}_FILE`) : '–',
        setting.about,
      ]),
    ),
  'docs/errors.md': (name, before) =>
    name === 'codes'
      ? withLastColumn(
          ['Code', 'Status', 'When', 'What to do'],
          Object.entries(errors).map(([one, { status, meaning }]) => [code(one), String(status), meaning]),
          before,
        )
      : withLastColumn(
          ['Reason', 'Means'],
          reasons.map((reason) => [code(reason)]),
          before,
        ),
  'docs/assistants.md': () =>
    table(
      ['Tool', 'Endpoint', 'Scope', 'What it does'],
      tools.map(({ name, value, sets = {} }) => [
        code(name),
        code(`${value.method} /api/v1${value.path}`),
        code(value.access.key),
        value.summary + ('disabled' in sets ? ' (only to disable it)' : ''),
      ]),
    ),
  'docs/architecture.md': (name) =>
    table(
      [name === 'imports' ? 'Folder' : 'Feature', 'May import'],
      Object.entries(name === 'imports' ? mayImport : knows).map(([one, rules]) => [
        code(one),
        rules.map(code).join(', '),
      ]),
    ),
};

// A Helm chart can read only files in its own folder, so some files are copied there.
const chart = 'deploy/helm/linkfold';

/** Returns the current and the expected content of every document with generated blocks, keyed by path. */
export function documents(): Map<string, { readonly is: string; readonly made: string }> {
  const made = new Map(
    Object.entries(makers).map(([path, make]) => {
      const is = readFileSync(join(root, path), 'utf8');
      return [path, { is, made: withBlocks(withNewSections(path, is), make) }] as const;
    }),
  );
  const isNow = (path: string): string =>
    existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : '';
  return made
    .set(`${chart}/alerts.yaml`, { is: isNow(`${chart}/alerts.yaml`), made: isNow('docs/alerts.yaml') })
    .set(`${chart}/settings.txt`, { is: isNow(`${chart}/settings.txt`), made: settingNames() });
}

function withNewSections(path: string, text: string): string {
  if (path === 'docs/api.md') return withSections(text, endpointBlocks, headingOf);
  return path === 'docs/cli.md' ? withSections(text, commandBlocks, commandHeading) : text;
}

if (import.meta.main) {
  for (const [path, { is, made }] of documents()) if (made !== is) writeFileSync(join(root, path), made);
}
