import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import test from 'node:test';
import { mayImport } from './import-table.ts';

const src = join(import.meta.dirname, '..', '..', 'src');

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !entry.name.endsWith('.test.ts'))
    .map((entry) => relative(src, join(entry.parentPath, entry.name)));
}

interface Line {
  readonly file: string;
  readonly number: number;
  readonly text: string;
  /** It is in an `import type`. */
  readonly isType: boolean;
}

const lines: readonly Line[] = filesBelow(src).flatMap((file) => {
  let statement = '';
  return readFileSync(join(src, file), 'utf8')
    .split('\n')
    .map((text, index) => {
      if (/^\w/.test(text)) statement = text;
      return { file, number: index + 1, text, isType: statement.startsWith('import type ') };
    });
});

function importOf(line: Line): string | undefined {
  const specifier = /(?:(?<!')\bfrom|\bimport|\bimport\()\s*'([^']+)'/.exec(line.text)?.[1];
  if (specifier === undefined) return undefined;
  return specifier.startsWith('.') ? relative(src, resolve(src, dirname(line.file), specifier)) : specifier;
}

/** The row of the import table that a file belongs to: its folder, or itself at the root. */
function roomOf(file: string): string {
  return dirname(file) === '.' ? file : dirname(file);
}

/** The rooms of a rule: `domain/*` is `domain` and its sub-folders. */
function roomsOf(rule: string): string[] {
  if (!rule.endsWith('/*')) return [rule in mayImport ? rule : roomOf(rule)];
  const folder = rule.slice(0, -'/*'.length);
  return Object.keys(mayImport).filter((room) => room === folder || room.startsWith(`${folder}/`));
}

function permits(rule: string, line: Line, imported: string): boolean {
  if (rule.startsWith('type ')) return line.isType && permits(rule.slice('type '.length), line, imported);
  return (
    rule === imported ||
    (imported.endsWith('.ts') &&
      (roomOf(imported) === rule || (rule.endsWith('/*') && roomsOf(rule).includes(roomOf(imported))))) ||
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
  const rooms = new Set(lines.map((line) => roomOf(line.file)));
  assert.deepEqual([...rooms].sort(), Object.keys(mayImport).sort());
});

test('arrows point inwards', () => {
  const found = offences((line) => {
    const imported = importOf(line);
    if (imported === undefined || roomOf(imported) === roomOf(line.file)) return false;
    return !mayImport[roomOf(line.file)]?.some((rule) => permits(rule, line, imported));
  });
  assert.deepEqual(found, []);
});

test('no folder leads back to itself', () => {
  const leadsTo = (room: string, seen = new Set<string>()): Set<string> => {
    // Types are gone when the program runs.
    const rules = mayImport[room]?.filter((rule) => !rule.startsWith('type ')) ?? [];
    for (const next of rules.flatMap(roomsOf))
      if (next in mayImport && !seen.has(next)) leadsTo(next, seen.add(next));
    return seen;
  };
  assert.deepEqual(
    Object.keys(mayImport).filter((room) => leadsTo(room).has(room)),
    [],
  );
});

test('the import table permits nothing that is not used', () => {
  const unused = Object.entries(mayImport).flatMap(([room, rules]) => {
    const imports = lines
      .filter((line) => roomOf(line.file) === room)
      .map((line) => ({ line, imported: importOf(line) }))
      .filter(({ imported }) => imported !== undefined);
    return rules
      .filter((rule) => !imports.some(({ line, imported = '' }) => permits(rule, line, imported)))
      .map((rule) => `${room}: ${rule}`);
  });
  assert.deepEqual(unused, []);
});

// A journal's lock is a transaction in a database that holds nothing.
function maySpeakSql(file: string): boolean {
  return file.startsWith('storage/') || file === 'clicks/journal/lock.ts';
}

test('the dashboard knows the client, how QR codes are drawn, the types of contract and domain, and packages that serving installs', () => {
  const root = join(src, '..');
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const files = readdirSync(join(root, 'dashboard'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /(?<!\.test)\.tsx?$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)));
  assert.ok(files.length > 0);
  const found = files.flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8');
    const imports = text.matchAll(
      /(?:^|\s)(import type\s|import|export)?[^;'"]*?(?:from|import|import\()\s*'([^'\s]+)'/g,
    );
    return [...imports]
      .filter(([, kind = '', name = '']) => {
        if (!name.startsWith('.'))
          return !Object.keys(dependencies).some((one) => `${name}/`.startsWith(`${one}/`));
        const path = relative(root, resolve(root, dirname(file), name));
        if (/^(?:dashboard|src\/client|src\/qr)\//.test(path)) return false;
        return !(kind.startsWith('import type') && /^src\/(?:contract|domain)\//.test(path));
      })
      .map(([, , name]) => `${file}: ${name}`);
  });
  assert.deepEqual(found, []);
  const long = files.filter((file) => readFileSync(join(root, file), 'utf8').split('\n').length > 400);
  assert.deepEqual(long, []);
});

test('SQL is only under storage/', () => {
  const sql =
    /\b(SELECT\s.+\sFROM|INSERT\s+INTO|UPDATE\s+\w+\s+SET|DELETE\s+FROM|CREATE\s+TABLE|PRAGMA\s+\w+)\b/;
  assert.deepEqual(
    offences((line) => !maySpeakSql(line.file) && sql.test(line.text)),
    [],
  );
});

test('HTTP status numbers are only where HTTP is spoken', () => {
  const status = /\b(?:code|status|statusCode|writeHead)\b\W{0,6}\b[1-5]\d\d\b/;
  const home = /^(contract\/|redirect\/|server\/|telemetry\/metrics\/|client\/|cli\/)/;
  const comment = /^\s*(\*|\/[/*])/;
  assert.deepEqual(
    offences((line) => !home.test(line.file) && !comment.test(line.text) && status.test(line.text)),
    [],
  );
});

test('no folder is a junk drawer, and no file a giant', () => {
  const drawers = /(^|\/)(utils?|helpers?|common|misc|shared|lib|types)(\/|\.ts$)/;
  assert.deepEqual(
    filesBelow(src).filter((file) => drawers.test(file)),
    [],
  );
  const lengths = Map.groupBy(lines, (line) => line.file);
  // It is made from the contract, and read by compilers.
  lengths.delete('client/endpoints.ts');
  assert.deepEqual(
    // Generated files need not be short: they are not read from end to end.
    [...lengths]
      .filter(([, text]) => text.length > 400 && !text[0]?.text.startsWith('// Made from '))
      .map(([file]) => file),
    [],
  );
});

// Files of test/support that stand on the code itself: nothing that judges a server over HTTP may use them.
const onTheCode = new Set([
  ...[
    'faults/folding-process.ts',
    'faults/hasty-server.ts',
    'faults/migrating.ts',
    'faults/rotating-journal.ts',
    'faults/short-segments.ts',
  ],
  ...[
    'files/kept-clicks.ts',
    'postgres/with-database.ts',
    'random/awkward-texts.ts',
    'server/command-host.ts',
  ],
]);

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

test('the acceptance tests know the published contract only, so that they can judge another implementation', () => {
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

test('tests share test/support, the model and the simulation, not what belongs to another folder of tests', () => {
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
