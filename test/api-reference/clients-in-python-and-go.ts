// Runs Python and Go clients that OpenAPI Generator generates from openapi.json. They create, list page by page,
// update, delete and handle errors. The latest npm release of the generator predates OpenAPI 3.1, so it gets the
// document as 3.0. Run by `npm run test:generators` and CI; skipped with a message if Java, Python, Go or their
// libraries are missing.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { call, type Server, startServer, temporaryFolder } from '../support/server/server.ts';
import { installPackages } from './generator-packages.ts';
import { olderDocument } from './older-document.ts';

const run = promisify(execFile);
const programs = join(import.meta.dirname, 'programs');
const generator = '@openapitools/openapi-generator-cli';

async function works(
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<boolean> {
  const done = run(command, args, { env: { ...process.env, ...env } });
  return done.then(
    () => true,
    () => false,
  );
}

async function firstThat(commands: readonly string[], args: readonly string[]): Promise<string | undefined> {
  for (const command of commands) if (await works(command, args)) return command;
  return undefined;
}

// Debian installs Go libraries as source code in this folder.
const goLibraries = '/usr/share/gocode';
const goWithout = { GO111MODULE: 'off', GOFLAGS: '-mod=', GOPATH: goLibraries };
const python = await firstThat(
  ['python3', '/usr/bin/python3'],
  ['-c', 'import urllib3, dateutil, six, certifi'],
);
const hasGo = await works('go', ['list', 'golang.org/x/oauth2'], goWithout);

interface Language {
  readonly generator: string;
  readonly missing: string | false;
  run(folder: string, url: string, key: string): Promise<{ stdout: string }>;
}

const languages: Readonly<Record<string, Language>> = {
  python: {
    generator: 'python',
    missing: python === undefined && 'there is no Python with urllib3, dateutil, six and certifi',
    run: (folder, url, key) =>
      run(python as string, [join(programs, 'use.py'), url, key], {
        env: { ...process.env, PYTHONPATH: folder, PYTHONDONTWRITEBYTECODE: '1' },
      }),
  },
  go: {
    generator: 'go-experimental',
    missing: !hasGo && 'there is no Go with golang.org/x/oauth2',
    async run(folder, url, key) {
      const library = join(folder, 'path', 'src', 'linkfold');
      mkdirSync(library, { recursive: true });
      for (const file of readdirSync(folder))
        if (file.endsWith('.go')) cpSync(join(folder, file), join(library, file));
      const env = { ...process.env, ...goWithout, GOPATH: `${join(folder, 'path')}:${goLibraries}` };
      const program = join(folder, 'use');
      await run('go', ['build', '-o', program, join(programs, 'use.go')], { env });
      return run(program, [url, key]);
    },
  },
};

describe('clients that OpenAPI Generator generates from the document', async () => {
  const packages = await installPackages('openapi-generator', { [generator]: '1.0.18-4.3.1' });
  const missing = packages.missing ?? (!(await works('java', ['-version'])) && 'there is no Java');
  const jar = join(packages.folder, 'node_modules', generator, 'bin', 'openapi-generator.jar');
  let server: Server;
  before(async () => {
    server = await startServer();
  });
  after(() => server.stop());

  for (const [name, language] of Object.entries(languages)) {
    const skip = missing || language.missing;
    if (skip) process.stderr.write(`SKIPPED: the client in ${name}: ${skip}\n`);
    test(`${name}: creates, lists page by page, updates, deletes and handles errors`, { skip }, async () => {
      const folder = temporaryFolder('generated');
      writeFileSync(join(folder, 'older.json'), olderDocument());
      await run(
        'java',
        [
          '-jar',
          jar,
          'generate',
          '-g',
          language.generator,
          '-i',
          'older.json',
          '-o',
          '.',
          '-p',
          'packageName=linkfold',
        ],
        { cwd: folder, maxBuffer: 1e8 },
      );
      const { key } = await server.newKey();
      const { stdout } = await language.run(folder, server.url, key);
      const codes = [0, 1, 2, 3, 4].map((n) => `${name}-${n}`);
      const newestFirst = codes.toReversed();
      assert.deepEqual(JSON.parse(stdout), {
        made: codes,
        pages: [newestFirst.slice(0, 2), newestFirst.slice(2, 4), newestFirst.slice(4)],
        title: `From ${name === 'go' ? 'Go' : 'Python'}`,
        deleted: [404, 'LINK_NOT_FOUND', true],
        invalid: [400, 'INVALID_URL', true],
        stranger: [401, 'INVALID_API_KEY', true],
      });
      const { json } = await call(server, 'GET', '/api/v1/links', { key });
      assert.equal(json.pagination.total, 4);
    });
  }
});
