// Runs the examples in docs/cli.md in order, with one server that has the records and files in the examples.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { blocksOf } from '../support/documents.ts';
import { type Ended, runHosted } from '../support/server/hosted-commands.ts';
import { type Api, makeInvitation, makeLink, makeMember, makeRecord } from '../support/server/records.ts';
import {
  as,
  type Environment,
  environmentOf,
  executable,
  type Server,
  startServer,
  temporaryFolder,
} from '../support/server/server.ts';

const page = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'cli.md'), 'utf8');
const blocks = blocksOf(page, 'sh');
const notRun = 13;
const lines = blocks
  .filter((block) => block.notRun === undefined)
  .flatMap(({ text }) => text.split('\n').map((line) => line.replace(/ {2}# .*$/, '')))
  .filter((line) => line !== '' && !line.startsWith('#'));

/** Examples that fail in the test, and why. */
const failing: ReadonlyMap<string, string> = new Map([
  ['linkfold apply links.yaml', 'asks at a terminal'],
  ['linkfold import pause', 'the import is done'],
  ['linkfold import resume', 'the import is done'],
  ['linkfold domains update go.example.com --default', 'the domain has no DNS records'],
  ['linkfold profiles create work --server https://go.example.com', 'asks for the key at a terminal'],
]);

/** An ID in an example, and a function that creates the record. */
const ids: readonly (readonly [id: string, make: (api: Api) => Promise<string>])[] = [
  ['4fT9qLz2', (api) => makeRecord(api, 'key')],
  ['7d0f6f1e-2b3c-4f5a-8e9d-0a1b2c3d4e5f', (api) => makeRecord(api, 'session')],
  ['7d0f6f1e-2b3c-4f5a-8e9d-0a1b2c3d4e61', (api) => makeRecord(api, 'invitation')],
  ['0198c5a0-6666-7b3a-9c41-3f0f6f2f8a10', (api) => makeRecord(api, 'share')],
  ['0198c5a0-7777-7b3a-9c41-3f0f6f2f8a10', (api) => makeRecord(api, 'import')],
  ['0198c5a0-1111-7b3a-9c41-3f0f6f2f8a10', deletedFolder],
  ['0198c5a0-9999-7b3a-9c41-3f0f6f2f8a10', delivery],
];

async function deletedFolder(api: Api): Promise<string> {
  const id = await makeRecord(api, 'folder');
  await api.delete(`/api/v1/folders/${id}`);
  return id;
}

async function delivery(api: Api): Promise<string> {
  const { data } = (await api.get('/api/v1/webhooks')).json;
  const { id } = data.find(({ url }: { url: string }) => url.includes('hooks.example.com'));
  return (await api.post(`/api/v1/webhooks/${id}/test`)).json.data.id;
}

const manifest = (name: string, customCode: string): string =>
  `manifest: ${name}\nlinks:\n  - customCode: ${customCode}\n    url: https://example.com/\n`;

const files: Readonly<Record<string, string>> = {
  '.env': 'A=1\n',
  'config.yaml': 'a: 1\n',
  'urls.txt': 'https://example.com/1\nhttps://example.com/2\n',
  'page.txt': 'See https://example.com/3 and https://example.com/4\n',
  'links.csv': 'url,title\nhttps://example.com/a,A\nhttps://example.com/b,B\n',
  'hosts.txt': 'evil.example\n',
  'secret.txt': 'open sesame\n',
  'links.yaml': manifest('marketing', 'press'),
  'links/press.yaml': manifest('press', 'press-kit'),
  'bought.csv': 'Back half;Long URL\nbought;https://example.com/bought\n',
};

const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

/**
 * Splits a line without redirections into words, as a shell does.
 * @returns undefined if the line needs a shell
 */
function wordsOf(line: string): string[] | undefined {
  if (!line.startsWith('linkfold ') || / [|<>]+ |\$\(|\*/.test(line)) return undefined;
  return [...line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
    ([, one, other, plain]) => one ?? other ?? plain ?? '',
  );
}

describe('the examples of docs/cli.md', () => {
  const cwd = temporaryFolder('commands');
  let server: Server;
  let api: Api;
  let env: Environment;
  before(async () => {
    server = await startServer();
    const key = readFileSync(join(server.dataDir, 'first-key.txt'), 'utf8').trim();
    api = as(server, key);
    env = {
      ...(await environmentOf(server.dataDir)),
      PORT: String(server.port),
      XDG_CONFIG_HOME: cwd,
      LINKFOLD_URL: server.url,
      LINKFOLD_API_KEY: key,
      BLOCK_LISTS: join(cwd, 'hosts.txt'),
      BACKUP_TO: join(cwd, 'scheduled'),
    };
    for (const folder of ['bin', 'links', 'backups']) mkdirSync(join(cwd, folder));
    symlinkSync(executable, join(cwd, 'bin/linkfold'));
    for (const [name, text] of Object.entries({ ...files, 'key.txt': key }))
      writeFileSync(join(cwd, name), text);
    writeFileSync(join(cwd, 'logo.png'), Buffer.from(png, 'base64'));
    for (const customCode of ['summer', 'autumn', 'jira']) await makeLink(api, { customCode });
    writeFileSync(join(cwd, 'changes.csv'), `id,title\n${await makeLink(api)},Changed\n`);
    for (const name of ['easter', 'sprnig']) await api.post('/api/v1/tags', { name });
    await api.post('/api/v1/folders', { name: 'Campaigns' });
    await api.post('/api/v1/domains', { host: 's.example.com' });
    await api.post('/api/v1/utm-templates', { name: 'Autumn', utm: { source: 'mail' } });
    await api.post('/api/v1/webhooks', { url: 'https://crm.example.com/', events: ['link.created'] });
    await server.newKey({ account: 'acme' });
    for (const name of ['ada', 'bob', 'eve']) {
      const email = `${name}@example.com`;
      const { url } = (await api.post('/api/v1/invitations', { role: 'editor', email })).json.data;
      await api.post('/api/v1/invitations/accept', { token: new URL(url).hash.slice(1), name });
    }
    await makeMember(api, 'viewer', 'Ada L.');
    await makeInvitation(api);
    await run('linkfold profiles create work --server https://go.example.com < key.txt');
    await run('linkfold import read csv --links bought.csv > links.ndjson');
  });
  after(() => server.stop());

  const inShell = async (line: string): Promise<Ended> => {
    const script = `linkfold() { bin/linkfold "$@"; }\n${line}`;
    return promisify(execFile)('bash', ['-c', script], { env, cwd }).then(
      ({ stdout, stderr }) => ({ code: 0, out: stdout, err: stderr }),
      ({ code, stdout, stderr }) => ({ code, out: stdout, err: stderr }),
    );
  };
  /** Runs an example. @returns the output if the example failed */
  const run = async (example: string): Promise<string | undefined> => {
    let line = example.replaceAll('https://go.example.com', server.url);
    for (const [id, make] of ids) if (line.includes(id)) line = line.replace(id, await make(api));
    const words = wordsOf(line);
    const { code, out, err } =
      words === undefined
        ? await inShell(line)
        : await runHosted({ args: words.slice(1), env, input: '', cwd });
    // For these commands, exit code 2 means that there are changes.
    const isFine = code === 0 || (code === 2 && /^linkfold (plan|drift) /.test(line));
    return isFine ? undefined : `${code}\n${out}\n${err}`;
  };

  test('run, except marked ones', () => {
    assert.equal(blocks.filter((block) => block.notRun !== undefined).length, notRun);
  });

  for (const line of lines)
    test(line, async () => {
      const failure = await run(line);
      const reason = failing.get(line);
      if (reason === undefined) assert.equal(failure, undefined);
      else assert.notEqual(failure, undefined, `It no longer fails: ${reason}`);
    });
});
