import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import test from 'node:test';
import { words } from '../support/words.ts';
import { foundations, fromElsewhere, knows, mayImport } from './import-table.ts';

const root = join(import.meta.dirname, '..', '..');
const src = join(root, 'src');
const dashboard = join(root, 'dashboard');

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /(?<!\.test|\.d)\.tsx?$/.test(entry.name))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
}

interface Line {
  readonly file: string;
  readonly number: number;
  readonly text: string;
  /** True if the line is inside an `import type`. */
  readonly isType: boolean;
}

function linesBelow(folder: string): readonly Line[] {
  return filesBelow(folder).flatMap((file) => {
    let statement = '';
    return readFileSync(join(folder, file), 'utf8')
      .split('\n')
      .map((text, index) => {
        if (/^\w/.test(text)) statement = text;
        return { file, number: index + 1, text, isType: statement.startsWith('import type ') };
      });
  });
}

const lines = linesBelow(src);
const shown = linesBelow(dashboard);

/** Returns the path of an imported file relative to the folder, or the name of the imported package. */
function importOf(line: Line, folder = src): string | undefined {
  const specifier = /(?<!')(?:\bfrom|\bimport|\bimport\()\s*'([^' ]+)'/.exec(line.text)?.[1];
  if (specifier === undefined) return undefined;
  return specifier.startsWith('.')
    ? relative(folder, resolve(folder, dirname(line.file), specifier))
    : specifier;
}

/**
 * Returns the row of the import table that applies to a file: its folder, or the file's own name if it is at the root.
 */
function folderOf(file: string): string {
  return dirname(file) === '.' ? file : dirname(file);
}

/** Returns the folders to which a rule applies. `model/*` stands for `model` and its subfolders. */
function foldersOf(rule: string): string[] {
  if (!rule.endsWith('/*')) return [rule in mayImport ? rule : folderOf(rule)];
  const folder = rule.slice(0, -'/*'.length);
  return Object.keys(mayImport).filter((name) => name === folder || name.startsWith(`${folder}/`));
}

function permits(rule: string, line: Line, imported: string): boolean {
  if (rule.startsWith('type ')) return line.isType && permits(rule.slice('type '.length), line, imported);
  return (
    rule === imported ||
    (imported.endsWith('.ts') &&
      (folderOf(imported) === rule ||
        (rule.endsWith('/*') && foldersOf(rule).includes(folderOf(imported))))) ||
    (rule === 'node:*' && imported.startsWith('node:'))
  );
}

function where(line: Line): string {
  return `src/${line.file}:${line.number}: ${line.text.trim()}`;
}

function offences(isOffence: (line: Line) => boolean): string[] {
  return lines.filter(isOffence).map(where);
}

test('every folder and sub-folder of src, and every file at its root, has a row in the import table', () => {
  const folders = new Set(lines.map((line) => folderOf(line.file)));
  assert.deepEqual([...folders].sort(), Object.keys(mayImport).sort());
});

test('imports follow the import table', () => {
  const found = offences((line) => {
    const imported = importOf(line);
    if (imported === undefined || folderOf(imported) === folderOf(line.file)) return false;
    return !mayImport[folderOf(line.file)]?.some((rule) => permits(rule, line, imported));
  });
  assert.deepEqual(found, []);
});

test('folders have no import cycles', () => {
  const leadsTo = (folder: string, seen = new Set<string>()): Set<string> => {
    // Types do not exist at run time, so importing them cannot cause a cycle.
    const rules = mayImport[folder]?.filter((rule) => !rule.startsWith('type ')) ?? [];
    for (const next of rules.flatMap(foldersOf))
      if (next in mayImport && !seen.has(next)) leadsTo(next, seen.add(next));
    return seen;
  };
  assert.deepEqual(
    Object.keys(mayImport).filter((folder) => leadsTo(folder).has(folder)),
    [],
  );
});

test('the import table allows nothing unused', () => {
  const unused = Object.entries(mayImport).flatMap(([folder, rules]) => {
    const imports = lines
      .filter((line) => folderOf(line.file) === folder)
      .map((line) => ({ line, imported: importOf(line) }))
      .filter(({ imported }) => imported !== undefined);
    return rules
      .filter((rule) => !imports.some(({ line, imported = '' }) => permits(rule, line, imported)))
      .map((rule) => `${folder}: ${rule}`);
  });
  assert.deepEqual(unused, []);
});

// Returns true if a file may contain SQL. A journal's lock is a transaction in an empty database, and imports read
// other services' databases.
function maySpeakSql(file: string): boolean {
  return (
    file.startsWith('storage/') ||
    file === 'clicks/journal/files/lock.ts' ||
    file === 'importers/reading/selects.ts'
  );
}

/** Returns the dashboard folder that contains an imported path, or the path itself if it is not in the dashboard. */
function whereTo(imported: string): string {
  if (imported.startsWith('../')) return dirname(imported.slice('../'.length));
  return /\.tsx?$/.test(imported) ? dirname(imported) : imported;
}

const arrows = shown.flatMap((line) => {
  const [from, imported] = [dirname(line.file), importOf(line, dashboard)];
  if (imported === undefined) return [];
  const to = whereTo(imported);
  return from === to ? [] : [{ from, to, line }];
});

/** Returns the imports that a dashboard folder may contain. */
function mayKnow(folder: string): readonly string[] {
  const at = foundations.indexOf(folder);
  if (at >= 0) return foundations.slice(0, at);
  if (folder === '.' || folder === 'app') return shown.map(({ file }) => dirname(file));
  // Folders with pure calculations must not import views.
  return folder.endsWith('/model') ? ['texts'] : [...foundations, ...(knows[folder] ?? [])];
}

test('dashboard imports follow the layers, and features import each other only if the table allows it', () => {
  const found = arrows.filter(
    ({ from, to, line }) =>
      !mayKnow(from).includes(to) &&
      !fromElsewhere.includes(to) &&
      !(line.isType && fromElsewhere.includes(`type ${to}`)),
  );
  assert.deepEqual(
    found.map(({ line }) => `dashboard/${line.file}:${line.number}: ${line.text.trim()}`),
    [],
  );
  const unused = Object.entries(knows).flatMap(([folder, others]) =>
    others.filter((other) => !arrows.some(({ from, to }) => from === folder && to === other)),
  );
  assert.deepEqual(unused, []);
  const all = (folder: string, seen = new Set<string>()): Set<string> => {
    for (const next of knows[folder] ?? []) if (!seen.has(next)) all(next, seen.add(next));
    return seen;
  };
  assert.deepEqual(
    Object.keys(knows).filter((folder) => all(folder).has(folder)),
    [],
  );
});

test('dashboard features have the same texts in every language, and no two use the same name', async () => {
  const folders = [...new Set(shown.map(({ file }) => dirname(file)))].filter((folder) =>
    existsSync(join(dashboard, folder, 'en.ts')),
  );
  assert.ok(folders.length > 10);
  const named = new Map<string, string>();
  for (const folder of folders) {
    const { en } = await import(join(dashboard, folder, 'en.ts'));
    const { de } = await import(join(dashboard, folder, 'de.ts'));
    assert.deepEqual(Object.keys(de).sort(), Object.keys(en).sort(), folder);
    for (const name of Object.keys(en)) {
      assert.equal(named.get(name), undefined, `${name} of ${folder}`);
      named.set(name, folder);
    }
  }
});

test('SQL is only under storage/', () => {
  const sql =
    /\b(SELECT\s.+\sFROM|INSERT\s+INTO|UPDATE\s+\w+\s+SET|DELETE\s+FROM|CREATE\s+TABLE|PRAGMA\s+\w+)\b/;
  assert.deepEqual(
    offences((line) => !maySpeakSql(line.file) && sql.test(line.text)),
    [],
  );
});

test('roles and scopes are compared in model/accounts/authority.ts only', () => {
  const compares = /[sS]copes\.(?:includes|every|some)\(|[rR]oles?\.indexOf|\brole [!=]== '/;
  const home = /^(?:(?!api\/|model\/|storage\/)|model\/accounts\/authority\.ts|storage\/engine\/)/;
  assert.deepEqual(
    offences((line) => !home.test(line.file) && compares.test(line.text)),
    [],
  );
});

test('only types are imported from node:http, as a value import loads its HTTP client at startup', () => {
  const values = lines.filter((line) => !line.isType && importOf(line) === 'node:http');
  assert.deepEqual(
    values.map(({ file }) => file),
    [],
  );
});

test('HTTP status codes are only where HTTP is spoken', () => {
  const status = /\b(?:code|status|statusCode|writeHead)\b\W{0,6}\b[1-5]\d\d\b/;
  const home =
    /^(backups\/|contract\/|compatible\/|redirect\/|server\/|model\/webhooks\/|external\/outbound\/|external\/destination-monitoring\/|webhooks\/|importers\/reading\/|telemetry\/metrics\/|client\/|cli\/)/;
  const comment = /^\s*(\*|\/[/*])/;
  assert.deepEqual(
    offences((line) => !home.test(line.file) && !comment.test(line.text) && status.test(line.text)),
    [],
  );
});

test('no folder has a generic name, and no file is too long', () => {
  const drawers = /(^|\/)(utils?|helpers?|common|misc|shared|lib|types)(\/|\.ts$)/;
  assert.deepEqual(
    filesBelow(src).filter((file) => drawers.test(file)),
    [],
  );
  const lengths = Map.groupBy([...lines, ...shown], (line) => line.file);
  assert.deepEqual(
    // Generated files may be long, because nobody reads them from start to end.
    [...lengths]
      .filter(([, text]) => text.length > 400 && !/^\/\/ (?:Made|Generated) from /.test(text[0]?.text ?? ''))
      .map(([file]) => file),
    [],
  );
});

// Files in test/support that import src. Tests that only use a server over HTTP must not import these files.
const onTheCode = new Set(
  words(`
  faults/folding-process.ts faults/hasty-server.ts faults/migrating.ts faults/rotating-journal.ts
  faults/short-segments.ts files/retained-clicks.ts postgres/with-database.ts random/awkward-texts.ts
  server/command-host.ts
`),
);

function importsOf(file: string): string[] {
  return [...readFileSync(file, 'utf8').matchAll(/(?:\bfrom|\bimport|\bimport\()\s*'(\.[^']+)'/g)].map(
    ([, specifier = '']) => resolve(dirname(file), specifier),
  );
}

function namedBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name));
}

test('acceptance tests use the published contract only, so that they can test another implementation', () => {
  const tests = join(import.meta.dirname, '..');
  const support = join(tests, 'support');
  const ofTheCode = namedBelow(support).filter((file) =>
    importsOf(file).some((one) => one.startsWith(`${src}/`)),
  );
  assert.deepEqual(ofTheCode.map((file) => relative(support, file)).sort(), [...onTheCode].sort());

  const reached = new Set(namedBelow(join(tests, 'acceptance')));
  for (const file of reached) for (const imported of importsOf(file)) reached.add(imported);
  assert.deepEqual(
    [...reached].filter((file) => file.startsWith(`${src}/`)).map((file) => relative(src, file)),
    [],
  );
});

test('tests share test/support, the model and the simulation, but nothing from another test folder', () => {
  const tests = join(import.meta.dirname, '..');
  const folderOf = (file: string): string => relative(tests, file).split('/')[0] ?? '';
  const found = namedBelow(tests).flatMap((file) =>
    importsOf(file)
      .filter(
        (imported) => !['..', 'support', 'model', 'simulation', folderOf(file)].includes(folderOf(imported)),
      )
      .map((imported) => `${relative(tests, file)}: ${relative(tests, imported)}`),
  );
  assert.deepEqual(found, []);
});
