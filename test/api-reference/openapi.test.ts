import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import openapiTS from 'openapi-typescript';
import { temporaryFolder } from '../support/server/server.ts';

// Checks openapi.json with a linter, and generates types that must compile in a strict program.

const root = join(import.meta.dirname, '..', '..');
const document = JSON.parse(readFileSync(join(root, 'openapi.json'), 'utf8'));

test('passes Redocly', () => {
  const cli = join(root, 'node_modules', '@redocly', 'cli', 'bin', 'cli.js');
  const config = join(import.meta.dirname, 'redocly.yaml');
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  const linted = spawnSync(
    process.execPath,
    [cli, 'lint', 'openapi.json', '--config', config, '--format', 'json'],
    { cwd: root, env, encoding: 'utf8' },
  );
  const { totals, problems } = JSON.parse(linted.stdout);
  assert.deepEqual(problems, []);
  assert.deepEqual(totals, { errors: 0, warnings: 0, ignored: 0 });
});

const consumer = `
import type { components, operations } from './api.mts';

type Schemas = components['schemas'];
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const must = <T extends true>(): T | undefined => undefined;

// Names that programs depend on. Names may be added but not removed.
export type Names = [
  Schemas['Link'], Schemas['ListedLink'], Schemas['CreatedLink'], Schemas['UpsertedLink'], Schemas['RestoredLink'], Schemas['UpdatedLink'],
  Schemas['RepointedLink'], Schemas['MovedLink'], Schemas['FullLink'], Schemas['DeletedLink'], Schemas['CursorPagination'], Schemas['LinkStatus'], Schemas['Pagination'], Schemas['LinkPage'], Schemas['DeletedLinkPage'], Schemas['Folder'],
  Schemas['CreatedFolder'], Schemas['RenamedFolder'], Schemas['Identity'], Schemas['Plan'], Schemas['ErrorResponse'],
  Schemas['ErrorCode'], Schemas['FieldProblem'], Schemas['Reason'], Schemas['ShortenRequest'],
  Schemas['Statistics'], Schemas['StatisticsBucket'], Schemas['StatisticsTotals'], Schemas['ValueCounts'], Schemas['StatisticsInterval'], Schemas['SharedStatistics'], Schemas['Share'], Schemas['CreatedShare'],
  Schemas['ShortenResponse'], Schemas['ListLinksResponse'], Schemas['UpdateLinkRequest'],
];
const names: readonly (keyof operations)[] = [
  'shorten', 'upsertLink', 'listLinks', 'getLink', 'getLinkByCode', 'getLinkByExternalId', 'updateLinkByExternalId', 'deleteLinkByExternalId', 'updateLink', 'repointLink', 'moveLink', 'deleteLink', 'restoreLink',
  'listFolders', 'createFolder', 'renameFolder', 'deleteFolder', 'restoreFolder', 'me', 'accountStatistics', 'linkStatistics', 'folderStatistics', 'tagStatistics', 'shareLink', 'listShares', 'revokeShare', 'sharedStatistics',
];

must<Same<Schemas['Link']['title'], string | null>>();
must<Same<Schemas['Link']['clicks'], number>>();
must<Same<Schemas['Link']['status'], 'active' | 'expired' | 'scheduled' | 'disabled' | 'exhausted' | undefined>>();
must<Same<Schemas['Link']['folderId'], string | null | undefined>>();
must<Same<Schemas['ListedLink']['expiresAt'], string | null | undefined>>();
must<Same<Schemas['UpdatedLink']['expiresAt'], string | null>>();
must<Same<Schemas['Plan'], 'free' | 'starter' | 'pro' | 'enterprise'>>();
must<Same<Schemas['ListLinksResponse'], Schemas['LinkPage'] | Schemas['FoundLinkPage'] | Schemas['DeletedLinkPage']>>();
must<Same<Schemas['LinkPage']['data'], Schemas['ListedLink'][]>>();
must<Same<Schemas['LinkPage']['pagination'], Schemas['Pagination']>>();
// Extensible sets of values are not unions, because today's programs must accept future values.
must<Same<Schemas['ErrorCode'], string>>();
must<Same<Schemas['ErrorResponse']['success'], false>>();
must<Same<Schemas['ErrorResponse']['error']['details'], Schemas['FieldProblem'][] | undefined>>();

type Query = NonNullable<operations['listLinks']['parameters']['query']>;
must<Same<Query['page'], number | undefined>>();
const asked: Query = { page: 2, limit: 50, folderId: 'none', include: ['title', 'status'] };

const wanted: Schemas['ShortenRequest'] = { url: 'https://example.com/', customCode: null, title: 'Spring' };
const changed: Schemas['UpdateLinkRequest'] = { expiresAt: null };
// Each bulk action has its own fields.
const many: Schemas['BulkLinksRequest'][] = [
  { action: 'create', links: [{ url: 'https://example.com/' }] },
  { action: 'update', ids: ['a'], set: { title: 'Spring' } },
  { action: 'move', ids: ['a'], folderId: null },
];


export function told(answer: Schemas['ShortenResponse'] | Schemas['ErrorResponse']): string {
  return answer.success ? answer.data.shortUrl : answer.error.code;
}
type Created = operations['shorten']['responses'][201]['headers'];
must<Same<Created['Location'], string>>();
must<Same<operations['listLinks']['responses'][429]['headers']['X-Request-Id'], string>>();
export { names, asked, wanted, changed, many };
`;

test('generates types that a strict program can use', async () => {
  const types = await openapiTS(document);
  const code = types.replace(/\/\*[\s\S]*?\*\//g, '');
  // Ignores `unknown` in import lines, app files and WebAuthn data, which have keys that the document does not list.
  const withoutWords = code.replace(/"[^"\n]*"/g, '""').replaceAll('[key: string]: unknown;', '');
  assert.deepEqual(withoutWords.match(/.*\b(?:any|unknown)\b.*/g), null, 'a type without information');
  const folder = temporaryFolder('types');
  writeFileSync(join(folder, 'api.mts'), types);
  writeFileSync(join(folder, 'consumer.mts'), consumer);
  const tsconfig = {
    extends: join(root, 'tsconfig.json'),
    compilerOptions: { types: [] },
    include: ['*.mts'],
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(tsconfig));
  const compiled = spawnSync(join(root, 'node_modules', '.bin', 'tsc'), ['-p', folder], { encoding: 'utf8' });
  assert.equal(compiled.stdout, '');
});

test('documents only key authentication: a client that also sent a cookie would be rejected', () => {
  assert.deepEqual(document.security, [{ apiKey: [] }]);
  assert.deepEqual(Object.keys(document.components.securitySchemes), ['apiKey']);
  const own = Object.values<Record<string, { security?: object[] }>>(document.paths)
    .flatMap((methods) => Object.values(methods))
    .flatMap(({ security }) => (security === undefined ? [] : [security]));
  assert.deepEqual(
    own,
    own.map(() => []),
    'only public endpoints override this',
  );
  assert.deepEqual(document.paths['/api/v1/shared/{token}/stats'].get.security, []);
  assert.equal(document.paths['/api/v1/me'].get.security, undefined);
});

test('keeps the document small enough for people and tools', () => {
  // The document may grow with the API, but not by repeating content. Each operation has a dozen responses with headers
  // and examples.
  const operations = Object.values<object>(document.paths).flatMap((methods) => Object.keys(methods));
  assert.ok(readFileSync(join(root, 'openapi.json')).length < operations.length * 6_200);
});

test("gives no schema the name of another one's constructor in Go generators", () => {
  const names = Object.keys(document.components.schemas);
  assert.deepEqual(
    names.filter((name) => names.includes(name.replace(/^New/, '')) && name.startsWith('New')),
    [],
  );
});

test("names each variant in discriminators, because generators would otherwise use the schema's name", () => {
  interface Form {
    readonly oneOf?: readonly { readonly $ref: string }[];
    readonly discriminator?: { readonly propertyName: string; readonly mapping: Record<string, string> };
    readonly properties?: Readonly<Record<string, { readonly const?: string }>>;
  }
  const schemas: Readonly<Record<string, Form>> = document.components.schemas;
  const told = Object.values(schemas).filter(({ discriminator }) => discriminator !== undefined);
  assert.ok(told.length > 0);
  for (const { oneOf = [], discriminator } of told) {
    const words = oneOf.map(({ $ref }) => {
      const form = schemas[$ref.replace('#/components/schemas/', '')];
      return [form?.properties?.[discriminator?.propertyName ?? '']?.const, $ref];
    });
    assert.deepEqual(discriminator?.mapping, Object.fromEntries(words));
  }
});
