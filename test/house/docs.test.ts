import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, test } from 'node:test';
import type { Command } from 'commander';
import * as z from 'zod';
import { documents as madeDocuments } from '../../scripts/documents/documents.ts';
import { normalizeWords } from '../../src/cli/grammar.ts';
import { createProgram } from '../../src/cli/program.ts';
import { settings } from '../../src/config.ts';
import { apiPrefix, type Endpoint, failuresOf } from '../../src/contract/endpoint.ts';
import { endpoints } from '../../src/contract/endpoints/endpoints.ts';
import { errors } from '../../src/contract/errors.ts';
import { parseFields } from '../../src/contract/fields.ts';
import { openApiDocument } from '../../src/contract/openapi/document.ts';
import { documentText } from '../../src/contract/openapi/text.ts';
import { services } from '../../src/importers/services/services.ts';
import { idInToken } from '../../src/model/accounts/keys.ts';
import { version } from '../../src/runtime/version.ts';
import { blocksOf, fence } from '../support/documents.ts';
import { parseExposition } from '../support/http/exposition.ts';
import { call, startServer, temporaryFolder } from '../support/server/server.ts';

// Compares the docs with the code, in both directions. Anything that is missing on either side fails a test.

const root = join(import.meta.dirname, '..', '..');
function read(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

function filesBelow(folder: string, ending: string): string[] {
  return (
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
      // The benchmark stores other versions of Linkfold, with their own docs, in this folder.
      .filter((entry) => !entry.parentPath.includes(join('bench', '.cache')))
      .map((entry) => relative(root, join(entry.parentPath, entry.name)))
  );
}

const documents: readonly string[] = [
  ...readdirSync(root).filter((name) => name.endsWith('.md')),
  ...['docs', 'bench'].flatMap((folder) => filesBelow(folder, '.md')),
];
const sources: readonly string[] = ['src', 'test', 'bench'].flatMap((folder) => filesBelow(folder, '.ts'));

function withoutBlocks(text: string): string {
  return text.replace(fence, '');
}
function spansOf(text: string): string[] {
  return [...withoutBlocks(text).matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span);
}

/** Returns the text below each heading of a level, up to the next heading of that level or a higher one. */
function sectionsOf(text: string, level: number): Map<string, string> {
  const sections = new Map<string, string>();
  const heading = new RegExp(`^(#{1,${level}}) (.+)$`);
  let inBlock = false;
  let title: string | undefined;
  for (const line of text.split('\n')) {
    if (line.startsWith('```')) inBlock = !inBlock;
    const [, marks = '', words = ''] = (inBlock ? null : heading.exec(line)) ?? [];
    if (marks !== '') title = marks.length === level ? words : undefined;
    else if (title !== undefined) sections.set(title, `${sections.get(title) ?? ''}${line}\n`);
  }
  return sections;
}
function section(document: string, level: number, title: string): string {
  const found = sectionsOf(read(document), level).get(title);
  assert.ok(found !== undefined, `${document} has no heading "${title}"`);
  return found;
}

/** Returns the cells in every table row except headers. */
function rowsOf(text: string): string[][] {
  const lines = withoutBlocks(text).split('\n');
  const isRule = (line: string | undefined): boolean => /^\|(-+\|)+$/.test(line ?? '');
  return lines
    .filter((line, at) => line.startsWith('|') && !isRule(line) && !isRule(lines[at + 1]))
    .map((line) =>
      line
        .slice(1, -1)
        .split(/(?<!\\)\|/)
        .map((cell) => cell.trim()),
    );
}
function code(text: string): string {
  return `\`${text}\``;
}

test('generated parts of docs/ are up to date; if not: npm run generate', () => {
  for (const [path, { is, made }] of madeDocuments()) assert.ok(is === made, `${path} is stale`);
});

test('docs/errors.md explains the fix for every code and the meaning of every reason', () => {
  for (const title of ['Codes', 'Reasons'])
    for (const row of rowsOf(section('docs/errors.md', 2, title))) assert.ok(row.at(-1), String(row[0]));
});

interface Content {
  readonly content?: Readonly<Record<string, { readonly example?: unknown; readonly examples?: object }>>;
}
interface Operation {
  readonly operationId: string;
  readonly requestBody?: Required<Content>;
  readonly responses: Readonly<Record<string, Content & { readonly $ref?: string }>>;
}
const document = openApiDocument(version) as unknown as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly headers: Readonly<Record<string, { readonly description: string }>>;
    readonly responses: Readonly<Record<string, Content>>;
    readonly examples: Readonly<Record<string, { readonly value: { error: { message: string } } }>>;
    readonly schemas: Readonly<Record<string, { readonly 'x-extensible-enum'?: readonly string[] }>>;
  };
};

function responseOf(response: Content & { readonly $ref?: string }): Content {
  const name = response.$ref?.split('/').at(-1);
  return name === undefined ? response : (document.components.responses[name] ?? {});
}

for (const [name, endpoint] of Object.entries<Endpoint>(endpoints)) {
  const { path, method, body, success, exampleRequest } = endpoint;

  test(`the example of ${name} matches its schema, keys in order`, () => {
    assert.equal(success.body === undefined, success.example === undefined);
    // Parsing drops undeclared keys and puts the others in the order in which they are declared.
    const parsed = success.body?.parse(success.example);
    assert.equal(JSON.stringify(parsed), JSON.stringify(success.example));
    const given = (exampleRequest?.body ?? {}) as Record<string, unknown>;
    const strangers = Object.keys(given).filter((field) => !Object.hasOwn(body ?? {}, field));
    assert.deepEqual(strangers, []);
    if (exampleRequest?.body !== undefined) assert.deepEqual(parseFields(body ?? {}, given).problems, []);
  });

  test(`the OpenAPI document has an example of each failure of ${name}, with its status`, () => {
    const responses =
      document.paths[(apiPrefix + path).replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()]?.responses;
    const shown = Object.entries(responses ?? {})
      .filter(([status]) => Number(status) >= 400)
      .flatMap(([status, response]) =>
        Object.keys(responseOf(response).content?.['application/json']?.examples ?? {}).map((one) => [
          one,
          status,
        ]),
      );
    const expected = failuresOf(endpoint).map((one) => [one, String(errors[one].status)]);
    // Skips the example with several kinds of validation errors, none of which has status 400.
    const isSeveral = ([one, status]: string[]) => one === 'VALIDATION_ERROR' && status === '422';
    assert.deepEqual(shown.filter((one) => !isSeveral(one)).sort(), expected.sort());
  });
}

test("the OpenAPI document has the code's messages where no test can trigger them", () => {
  const code = sources.filter((file) => file.startsWith('src/') && !file.includes('/openapi/')).map(read);
  const shown = ['INTERNAL_ERROR', 'OVERLOADED', 'STORAGE_UNAVAILABLE', 'SHUTTING_DOWN'].map(
    (name) => document.components.examples[name]?.value.error.message ?? '',
  );
  assert.deepEqual(
    shown.filter((message) => message === '' || !code.some((text) => text.includes(`'${message}'`))),
    [],
  );
});

test('openapi.json is up to date; if not: bin/linkfold openapi --out openapi.json', () => {
  assert.ok(read('openapi.json') === documentText(openApiDocument(version)), 'openapi.json is stale');
});

const program = await createProgram();
const names = program.commands.map((command) => command.name());
const helpOption = ['-h', '--help'];

/** Returns every command line in code blocks. In `console` blocks, command lines follow a prompt. */
function commandLinesOf(text: string): string[] {
  return blocksOf(text, 'sh', 'console').flatMap((block) =>
    block.text
      .replace(/\\\n\s*/g, ' ')
      .split('\n')
      .filter((line) => (block.language === 'sh' ? !/^\s*#/.test(line) : line.startsWith('$ ')))
      .map((line) => line.replace(/^\$ /, '').replace(/ {2}# .*$/, '')),
  );
}

/** Returns the method and path of the API request in a curl command line. */
function callIn(line: string): { method: string; path: string } | undefined {
  const [, path] = /curl .*?(\/api\/(?!v1\/\$)[^\s"'?]*)/s.exec(line) ?? [];
  const [, method = 'GET'] = /-X ([A-Z]+)/.exec(line) ?? [];
  return path === undefined ? undefined : { method, path };
}

const invocation =
  /(?:^|\| |&& )(?:[A-Z_]+=\S* )*(?:sudo -u linkfold env \S+ |docker exec linkfold )?(?:\/opt\/linkfold\/|\/app\/)?(?:bin\/)?linkfold ([^|>]+)/g;

const movedFrom = { ...services, csv: true };

/** Returns the error in a `linkfold` command line, if any. */
function problemWith(words: readonly string[]): string | undefined {
  let command: Command = program;
  const rest = [...normalizeWords(words, names)];
  while (command.commands.length > 0 && !rest[0]?.startsWith('-')) {
    // The word `from` is optional in `import SERVICE`.
    if (command.name() === 'import' && Object.hasOwn(movedFrom, rest[0] ?? '')) rest.unshift('from');
    const child = command.commands.find(
      (one) => one.name() === rest[0] || one.aliases().includes(rest[0] ?? ''),
    );
    if (child === undefined)
      return rest[0] === 'COMMAND' || rest[0] === undefined ? undefined : `no ${rest[0]}`;
    command = child;
    rest.shift();
  }
  const known = [...helpOption, ...command.options.flatMap(({ long, short }) => [long, short])];
  const stranger = rest.find((word) => /^--?[a-z]/.test(word) && !known.includes(word));
  return stranger === undefined ? undefined : `${command.name()} has no ${stranger}`;
}

describe('every document', () => {
  for (const document of documents) {
    const text = read(document);

    test(`${document}: links, anchors and cited paths exist`, () => {
      const broken: string[] = [];
      for (const [, target = ''] of withoutBlocks(text).matchAll(/\]\(([^)\s]+)\)/g)) {
        if (/^https?:/.test(target)) continue;
        const [path = '', anchor] = target.split('#');
        const file = path === '' ? document : join(dirname(document), path);
        if (!existsSync(join(root, file))) broken.push(target);
        else if (anchor !== undefined && !anchorsOf(read(file)).has(anchor)) broken.push(target);
      }
      for (const span of spansOf(text)) {
        const isPath =
          /^(?:(?:src|test|docs|bin|bench|scripts|deploy|\.ci)\/[\w./-]+|\w+\.(?:json|md))$/.test(span);
        if (isPath && !existsSync(join(root, span)) && !existsSync(join(root, 'src', span)))
          broken.push(span);
      }
      assert.deepEqual(broken, []);
    });

    test(`${document}: settings, codes and scripts exist`, () => {
      const isHistory = document === 'CHANGELOG.md' || document.startsWith('docs/decisions/');
      const names = new Set<string>([
        ...(isHistory ? ['CLICK_SINK', 'DATABASE_REPLICA_URLS'] : []),
        ...Object.keys(settings).flatMap((name) => [name, `${name}_FILE`]),
        ...Object.keys(errors),
        'LINKFOLD_URL',
        'LINKFOLD_API_KEY',
        'LINKFOLD_API_KEY_FILE',
        'LINKFOLD_IMPORT_TOKEN',
        'LINKFOLD_IMPORT_DATABASE',
        'LINKFOLD_CACHE',
        'LINKFOLD_PROFILE',
        'NO_COLOR',
        'UNEXPECTED_ANSWER',
        'INVALID_SIGNATURE',
        'LINKFOLD_BROWSER',
        'LINKFOLD_COUNT',
        'LINKFOLD_FAULTS',
        'LINKFOLD_PREVIOUS',
        'LINKFOLD_SEED',
        'LINKFOLD_STRICT',
        'NODE_COMPILE_CACHE',
        'NODE_EXTRA_CA_CERTS',
        'LINKFOLD_UNDER_TEST',
        'LINKFOLD_UNSAFE_SYNCHRONOUS',
        'TEST_POSTGRES_URL',
      ]);
      const strangers = spansOf(text)
        .map((span) => span.replace(/=.*$/, ''))
        .filter((span) => /^(?!OTEL_)[A-Z]+(?:_[A-Z]+)+$/.test(span) && !names.has(span));
      const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
      const missing = [...text.matchAll(/\bnpm run ([\w:-]+)/g)].filter(
        ([, name = '']) => !(name in scripts),
      );
      assert.deepEqual([...strangers, ...missing.map(([line]) => line)], []);
    });

    test(`${document}: code blocks are valid`, () => {
      for (const block of blocksOf(text, 'json')) requireAnswer(JSON.parse(block.text));
      for (const line of outputOf(text)) if (line.startsWith('{')) requireAnswer(JSON.parse(line));
      const shell = blocksOf(text, 'sh')
        .map((block) => block.text)
        .join('\n');
      const checked = spawnSync('sh', ['-n'], { input: shell, encoding: 'utf8' });
      assert.equal(checked.stderr, '');
      const wrong: string[] = [];
      const known = Object.values(endpoints).map(
        ({ method, path }) => new RegExp(`^${method} ${apiPrefix}${path.replace(/:\w+/g, '[^/]+')}$`),
      );
      for (const line of commandLinesOf(text)) {
        const called = callIn(line);
        const call = `${called?.method} ${called?.path}`;
        if (called !== undefined && !known.some((shape) => shape.test(call))) wrong.push(`${line}: ${call}`);
      }
      const lines = [...commandLinesOf(text), ...spansOf(text)];
      for (const line of lines) {
        for (const [, rest = ''] of line.matchAll(invocation)) {
          const problem = problemWith(rest.trim().split(/\s+/));
          if (problem !== undefined) wrong.push(`${line}: ${problem}`);
        }
      }
      assert.deepEqual(wrong, []);
    });

    test(`${document}: contains no key`, () => {
      const keys = [...text.matchAll(/\blfk_[0-9A-Za-z]{44}\b/g)].filter(
        ([key]) => idInToken(key) !== undefined,
      );
      assert.deepEqual(keys, []);
    });
  }
});

/** Returns the output lines in `console` blocks, which follow the commands. */
function outputOf(text: string): string[] {
  return blocksOf(text, 'console').flatMap((block) =>
    block.text.split('\n').filter((line) => !line.startsWith('$ ')),
  );
}

/**
 * Response of `/:code+` to programs. It is not in the list of endpoints, because it is public and not part of the API
 * (CONTRACT §6).
 */
const previewBody = z.object({
  success: z.literal(true),
  data: z.object({ shortCode: z.string(), shortUrl: z.url(), destinationUrl: z.url() }),
});

/** Asserts that a response in the docs is possible: it has an endpoint's keys in order, or a known error code. */
function requireAnswer(shown: { success?: boolean; error?: { code: string; details?: object[] } }): void {
  if (shown.success === undefined) return;
  if (shown.success) {
    const bodies = Object.values(endpoints).flatMap(({ success }) =>
      'body' in success ? [success.body] : [],
    );
    const fits = [...bodies, previewBody].some(
      (body) => JSON.stringify(body.safeParse(shown).data) === JSON.stringify(shown),
    );
    assert.ok(fits, `No endpoint answers ${JSON.stringify(shown)}`);
  } else {
    const { code, details, ...rest } = shown.error ?? { code: '' };
    assert.ok(Object.hasOwn(errors, code), `There is no code ${code}`);
    assert.deepEqual(Object.keys(rest), ['message', 'requestId', 'docs']);
    for (const detail of details ?? []) assert.deepEqual(Object.keys(detail), ['field', 'reason', 'message']);
  }
}

/** Returns the anchors of headings, as code hosts generate them. */
function anchorsOf(text: string): Set<string> {
  return new Set(
    [...withoutBlocks(text).matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
      title
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, '')
        .replace(/\s/g, '-'),
    ),
  );
}

/** Returns the folders in a tree drawing, and the files directly below `src`. */
function pathsDrawn(tree: string): string[] {
  const found: string[] = [];
  let above: string[] = [];
  for (const line of tree.split('\n')) {
    const [, top] = /^(\S+)\/(?: |$)/.exec(line) ?? [];
    if (top !== undefined) above = [top];
    const [, indent = '', names] = /^((?:[│ ] {3})*)[├└]── ((?:\S+, )*\S+)/.exec(line) ?? [];
    if (names === undefined) continue;
    const parents = above.slice(0, indent.length / 4 + 1);
    for (const name of names.split(', ')) found.push([...parents, name.replace('/', '')].join('/'));
    above = found.at(-1)?.split('/') ?? [];
  }
  return found.filter((path) => /^(?:src|dashboard)\//.test(path)).sort();
}

test('the tree in docs/architecture.md has every folder of src/ and dashboard/', () => {
  const [tree = ''] = blocksOf(section('docs/architecture.md', 2, '1. The tree')).map((block) => block.text);
  const real = ['src', 'dashboard'].flatMap((top) =>
    readdirSync(join(root, top), { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isDirectory() || (top === 'src' && entry.parentPath === join(root, top)))
      .map((entry) => relative(root, join(entry.parentPath, entry.name)))
      .filter((path) => !path.endsWith('.test.ts')),
  );
  assert.deepEqual(pathsDrawn(tree), real.sort());
});

test('every cited section exists', () => {
  const files = {
    CONTRACT: 'docs/contract.md',
    document: 'docs/interface.md',
    ARCHITECTURE: 'docs/architecture.md',
  } as const;
  const lost: string[] = [];
  let cited = 0;
  for (const source of sources) {
    const text = read(source).replace(/\n\s*\*\s/g, ' ');
    for (const match of text.matchAll(/\b(CONTRACT|document|ARCHITECTURE) §(\d+)(?:\.(\d+))?(?:, (\w+))?/g)) {
      const [whole, book, chapter, item, word] = match;
      cited += 1;
      const sections = [...sectionsOf(read(files[book as keyof typeof files]), 2)];
      const [, inside] = sections.find(([title]) => title.startsWith(`${chapter}. `)) ?? [];
      const hasItem =
        item === undefined || new RegExp(`^(### ${chapter}\\.${item} |${item}\\. )`, 'm').test(inside ?? '');
      // A word after the section number is the name of a row in that section's table, unless the sentence continues
      // with it.
      const hasWord = book !== 'CONTRACT' || chapter !== '4' || word === undefined || inside?.includes(word);
      if (inside === undefined || !hasItem || !hasWord) lost.push(`${source}: ${whole}`);
    }
  }
  assert.ok(cited > 20);
  assert.deepEqual(lost, []);
});

test('the log messages of docs/operating.md are in the code', () => {
  const code = sources.filter((file) => file.startsWith('src/')).map(read);
  const messages = rowsOf(section('docs/operating.md', 2, 'Logs')).flatMap(([message = '']) =>
    spansOf(message),
  );
  assert.ok(messages.length > 0);
  assert.deepEqual(
    messages.filter((message) => !code.some((text) => text.includes(message))),
    [],
  );
});

test('docs/operating.md lists every metric of Linkfold with its type, labels and meaning, and no other', async (t) => {
  const token = 'a token of the documentation'.replaceAll(' ', '-');
  const BLOCK_LISTS = join(temporaryFolder('block-list'), 'hosts');
  writeFileSync(BLOCK_LISTS, 'evil.example\n');
  const server = await startServer({ METRICS_TOKEN: token, BLOCK_LISTS });
  t.after(() => server.stop());
  const headers = { authorization: `Bearer ${token}` };
  // A per-endpoint histogram appears only after its first observation, so the test sends a request.
  const { key } = await server.newKey();
  await call(server, 'GET', '/api/v1/me', { key });
  const scraped = (await call(server, 'GET', '/metrics', { headers })).text;
  const rows = rowsOf(section('docs/operating.md', 3, 'Metrics'));
  const own = [...parseExposition(scraped).values()].filter(({ name }) => name.startsWith('linkfold_'));
  const exposed = own.map(({ name, type, samples, help }) => {
    const labels = new Set(samples.flatMap((sample) => Object.keys(sample.labels)));
    labels.delete('le');
    return [code(name), type, [...labels].map(code).join(', ') || '–', help];
  });
  const byName = (one: string[], other: string[]) => (one[0] ?? '').localeCompare(other[0] ?? '');
  assert.deepEqual(rows.sort(byName), exposed.sort(byName));
});
