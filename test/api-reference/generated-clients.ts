// Runs TypeScript clients from four generators, strictly compiled, against a server: they create a link, list it with
// `include`, and read its statistics. Run by `npm run test:generators` and CI; skipped with a message if the generators
// are missing.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cpSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { type Server, startServer, temporaryFolder } from '../support/server/server.ts';
import { installPackages, root } from './generator-packages.ts';

const run = promisify(execFile);
const packages = {
  '@hey-api/openapi-ts': '0.99.0',
  '@kubb/cli': '4.39.3',
  '@kubb/core': '4.39.3',
  '@kubb/plugin-client': '4.39.3',
  '@kubb/plugin-oas': '4.39.3',
  '@kubb/plugin-ts': '4.39.3',
  'openapi-fetch': '0.17.0',
  'openapi-typescript': '7.13.0',
  orval: '8.38.0',
  typescript: '5.9.3',
};

interface Generator {
  /** Files to write before the generator runs, by name. */
  readonly files?: (url: string) => Readonly<Record<string, string>>;
  /** A package's script, with its arguments. */
  readonly command: readonly [script: string, ...args: string[]];
  /** Source code that uses the client and sets `made`, `listed` and `clicks`. */
  readonly program: string;
}

const body = `{ url: 'https://example.com/spring', title: 'Spring' }`;
const both = `['title', 'status']`;
const headers = `{ authorization: \`Bearer \${key}\` }`;
const range = `{ from: '2026-01-01', to: '2026-02-01', class: ['human'] as 'human'[] }`;

const generators: Readonly<Record<string, Generator>> = {
  'hey-api': {
    command: ['@hey-api/openapi-ts/bin/run.js', '-i', 'openapi.json', '-o', 'made', '--silent'],
    program: `
      import { client } from './made/client.gen';
      import { accountStatistics, listLinks, shorten } from './made/sdk.gen';
      client.setConfig({ baseUrl: url, auth: key, throwOnError: true });
      const made = (await shorten({ body: ${body} })).data?.data;
      const listed = (await listLinks({ query: { include: ${both} } })).data?.data[0];
      const clicks = (await accountStatistics({ query: ${range} })).data?.data.totals.clicks;`,
  },
  'openapi-typescript and openapi-fetch': {
    command: ['openapi-typescript/bin/cli.js', 'openapi.json', '-o', 'made.d.ts'],
    program: `
      import createClient from 'openapi-fetch';
      import type { paths } from './made';
      const client = createClient<paths>({ baseUrl: url, headers: ${headers} });
      const made = (await client.POST('/api/v1/shorten', { body: ${body} })).data?.data;
      const listed = (await client.GET('/api/v1/links', { params: { query: { include: ${both} } } })).data?.data[0];
      const asked = { params: { query: ${range} } };
      const clicks = (await client.GET('/api/v1/stats', asked)).data?.data.totals.clicks;`,
  },
  orval: {
    files: (url) => ({
      'orval.config.mjs': `export default { api: {
        input: './openapi.json', output: { target: './made.ts', client: 'fetch', baseUrl: '${url}' } } };`,
    }),
    command: ['orval/dist/bin/orval.mjs', '--config', 'orval.config.mjs'],
    program: `
      import { accountStatistics, listLinks, shorten } from './made';
      const options = { headers: ${headers} };
      const created = await shorten(${body}, options);
      const made = created.status === 201 ? created.data.data : undefined;
      const page = await listLinks({ include: ${both} }, options);
      const listed = page.status === 200 ? page.data.data[0] : undefined;
      const statistics = await accountStatistics(${range}, options);
      const clicks = statistics.status === 200 ? statistics.data.data.totals.clicks : undefined;`,
  },
  kubb: {
    files: (url) => ({
      'kubb.config.mjs': `
        import { pluginClient } from '@kubb/plugin-client';
        import { pluginOas } from '@kubb/plugin-oas';
        import { pluginTs } from '@kubb/plugin-ts';
        export default { root: '.', input: { path: './openapi.json' }, output: { path: './made', format: false },
          plugins: [pluginOas({ generators: [] }), pluginTs(), pluginClient({ client: 'fetch', baseURL: '${url}' })] };`,
    }),
    command: ['@kubb/cli/bin/kubb.cjs', 'generate', '--config', 'kubb.config.mjs'],
    program: `
      import { accountStatistics } from './made/clients/accountStatistics';
      import { listLinks } from './made/clients/listLinks';
      import { shorten } from './made/clients/shorten';
      // Its client declares no body type, and \`fetch\` would use text/plain.
      const config = { headers: { ...${headers}, 'content-type': 'application/json' } };
      const made = (await shorten(${body}, undefined, config)).data;
      const listed = (await listLinks({ include: ${both} }, config)).data[0];
      const clicks = (await accountStatistics(${range}, config)).data.totals.clicks;`,
  },
};

const compilerOptions = {
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  allowImportingTsExtensions: true,
  types: [],
  ...{
    target: 'es2023',
    module: 'esnext',
    moduleResolution: 'bundler',
    lib: ['es2023', 'dom', 'dom.iterable'],
  },
};

describe('clients that generators create from the document', async () => {
  const { folder: installed, missing } = await installPackages('generators', packages);
  if (missing !== undefined) process.stderr.write(`SKIPPED: ${missing}\n`);
  let server: Server;
  let key: string;
  before(async () => {
    server = await startServer();
    key = (await server.newKey()).key;
  });
  after(() => server.stop());

  for (const [name, { files, command, program }] of Object.entries(generators)) {
    test(`${name}: compiles, creates, lists with include, and asks for statistics`, {
      skip: missing,
    }, async () => {
      const folder = temporaryFolder('generated');
      cpSync(join(root, 'openapi.json'), join(folder, 'openapi.json'));
      symlinkSync(join(installed, 'node_modules'), join(folder, 'node_modules'));
      const input = Object.entries(files?.(server.url) ?? {});
      for (const [file, text] of input) writeFileSync(join(folder, file), text);
      const [script, ...args] = command;
      await run(process.execPath, [join(installed, 'node_modules', script), ...args], { cwd: folder });

      const imports = program.match(/^ *import .*$/gm)?.join('\n') ?? '';
      const rest = program.replace(/^ *import .*$/gm, '');
      const constants = `const [url, key]: readonly string[] = ${JSON.stringify([server.url, key])};`;
      const typed = constants.replace(
        'const [url, key]: readonly string[]',
        'const [url, key]: [string, string]',
      );
      const said = `console.log(JSON.stringify({ made: made?.shortUrl, title: listed && 'title' in listed && listed.title, clicks }));`;
      writeFileSync(
        join(folder, 'program.ts'),
        [
          imports,
          typed,
          'void url; void key;',
          rest,
          `declare const console: { log(text: string): void };`,
          said,
          'export {};',
        ].join('\n'),
      );
      writeFileSync(
        join(folder, 'tsconfig.json'),
        JSON.stringify({ compilerOptions, files: ['program.ts'] }),
      );
      const tsc = join(installed, 'node_modules', 'typescript', 'bin', 'tsc');
      const compiled = await run(process.execPath, [tsc, '-p', folder]).catch(({ stdout }) => ({ stdout }));
      assert.equal(compiled.stdout, '');
      const outfile = join(folder, 'program.mjs');
      await build({
        entryPoints: [join(folder, 'program.ts')],
        outfile,
        bundle: true,
        format: 'esm',
        platform: 'node',
      });
      const { stdout } = await run(process.execPath, [outfile], { cwd: folder });
      const { made, title, clicks } = JSON.parse(stdout);
      assert.ok(made.startsWith(server.url));
      assert.deepEqual([title, clicks], ['Spring', 0]);
    });
  }
});
