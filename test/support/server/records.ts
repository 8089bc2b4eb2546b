import { apiPrefix, type Endpoint } from '../../../src/contract/endpoint.ts';
import { endpoints } from '../../../src/contract/endpoints.ts';
import type { as } from './server.ts';

/** Every endpoint by name, without its literal type: what generated tests walk over. */
export const everyEndpoint: readonly (readonly [string, Endpoint])[] = Object.entries(endpoints);

export type Api = ReturnType<typeof as>;

let made = 0;
/** A code nobody has used. */
export function freshCode(): string {
  return `fresh-${process.pid}-${++made}`;
}

export async function makeLink(api: Api, fields: Record<string, unknown> = {}): Promise<string> {
  const answer = await api.post('/api/v1/shorten', { url: 'https://example.com/', ...fields });
  if (answer.status !== 201) throw new Error(`No link was made: ${answer.status} ${answer.text}`);
  return answer.json.data.id;
}

export async function makeFolder(api: Api): Promise<string> {
  const answer = await api.post('/api/v1/folders', { name: 'Posters' });
  if (answer.status !== 201) throw new Error(`No folder was made: ${answer.status} ${answer.text}`);
  return answer.json.folder.id;
}

export type RecordKind = 'link' | 'folder' | 'code';

/** What the path parameter of an endpoint names: a record by its id, or a link by its code. */
export function recordOf(endpoint: Endpoint): RecordKind | undefined {
  if (endpoint.path.endsWith('/:code')) return 'code';
  if (!endpoint.path.includes(':id')) return undefined;
  return endpoint.path.startsWith('/links/') ? 'link' : 'folder';
}

export function pathWith(endpoint: Endpoint, id: string): string {
  return apiPrefix + endpoint.path.replace(/:\w+/, encodeURIComponent(id));
}

/** The endpoint's example, made to work on real records: a folder that exists, a code that is free. */
export function bodyWith(endpoint: Endpoint, folderId: string): unknown {
  const example = endpoint.exampleRequest?.body as Record<string, unknown> | undefined;
  if (endpoint.body === undefined) return undefined;
  const body = { ...example };
  if ('customCode' in body) body['customCode'] = freshCode();
  if ('folderId' in endpoint.body) body['folderId'] = folderId;
  return body;
}

/** The id, or the code, of a record that belongs to the caller, for one request. */
export async function makeRecord(api: Api, kind: RecordKind): Promise<string> {
  if (kind === 'folder') return makeFolder(api);
  if (kind === 'link') return makeLink(api);
  const customCode = freshCode();
  await makeLink(api, { customCode });
  return customCode;
}
