import { apiPrefix, type Endpoint } from '../http/openapi.ts';
import type { as } from './server.ts';

export type Api = ReturnType<typeof as>;

let count = 0;
/** Returns an unused code. */
export function freshCode(): string {
  return `fresh-${process.pid}-${++count}`;
}

export async function makeLink(api: Api, fields: Record<string, unknown> = {}): Promise<string> {
  const answer = await api.post('/api/v1/shorten', { url: 'https://example.com/', ...fields });
  if (answer.status !== 201) throw new Error(`Could not create a link: ${answer.status} ${answer.text}`);
  return answer.json.data.id;
}

export async function makeFolder(api: Api): Promise<string> {
  const answer = await api.post('/api/v1/folders', { name: 'Posters' });
  if (answer.status !== 201) throw new Error(`Could not create a folder: ${answer.status} ${answer.text}`);
  return answer.json.folder.id;
}

export async function makeTag(api: Api, name = freshCode()): Promise<string> {
  const answer = await api.post('/api/v1/tags', { name });
  if (answer.status !== 201) throw new Error(`Could not create a tag: ${answer.status} ${answer.text}`);
  return answer.json.data.id;
}

export type RecordKind =
  | 'link'
  | 'folder'
  | 'tag'
  | 'code'
  | 'externalId'
  | 'session'
  | 'key'
  | 'share'
  | 'template'
  | 'domain'
  | 'member'
  | 'invitation'
  | 'import'
  | 'webhook'
  | 'alias';

/** Error code for a record that the account does not have, by kind of record. */
export const notFound: Readonly<Record<RecordKind, string>> = {
  link: 'LINK_NOT_FOUND',
  code: 'LINK_NOT_FOUND',
  externalId: 'LINK_NOT_FOUND',
  folder: 'FOLDER_NOT_FOUND',
  tag: 'TAG_NOT_FOUND',
  session: 'SESSION_NOT_FOUND',
  key: 'KEY_NOT_FOUND',
  share: 'SHARE_NOT_FOUND',
  alias: 'ALIAS_NOT_FOUND',
  template: 'UTM_TEMPLATE_NOT_FOUND',
  domain: 'DOMAIN_NOT_FOUND',
  member: 'MEMBER_NOT_FOUND',
  invitation: 'INVITATION_NOT_FOUND',
  import: 'IMPORT_NOT_FOUND',
  webhook: 'WEBHOOK_NOT_FOUND',
};
export async function makeShare(api: Api): Promise<string> {
  const answer = await api.post(`/api/v1/links/${await makeLink(api)}/share`);
  if (answer.status !== 201) throw new Error(`Could not create a share: ${answer.status} ${answer.text}`);
  return answer.json.data.id;
}

export async function makeDomain(api: Api, host = `${freshCode()}.example.com`): Promise<string> {
  const answer = await api.post('/api/v1/domains', { host });
  if (answer.status !== 201) throw new Error(`Could not create a domain: ${answer.status} ${answer.text}`);
  return answer.json.data.id;
}

export async function makeTemplate(api: Api, name = freshCode()): Promise<string> {
  const answer = await api.post('/api/v1/utm-templates', { name, utm: { source: 'letter' } });
  if (answer.status !== 201) throw new Error(`Could not create a template: ${answer.status} ${answer.text}`);
  return answer.json.data.id;
}

/** Creates a pending invitation and returns its ID and secret. */
export async function makeInvitation(api: Api, role = 'viewer'): Promise<{ id: string; token: string }> {
  const answer = await api.post('/api/v1/invitations', { role });
  if (answer.status !== 201) throw new Error(`Could not invite a member: ${answer.status} ${answer.text}`);
  const { id, url } = answer.json.data;
  return { id, token: new URL(url).hash.slice(1) };
}

/** Creates a member who has joined, and returns their ID and session cookie. */
export async function makeMember(
  api: Api,
  role = 'viewer',
  name = 'Ada Lovelace',
): Promise<{ id: string; cookie: string }> {
  const { token } = await makeInvitation(api, role);
  const answer = await api.post('/api/v1/invitations/accept', { token, name });
  if (answer.status !== 201)
    throw new Error(`Could not accept the invitation: ${answer.status} ${answer.text}`);
  return {
    id: answer.json.data.person.id,
    cookie: answer.headers.get('set-cookie')?.split(';')[0] ?? '',
  };
}

export async function makeImport(api: Api): Promise<string> {
  const answer = await api.post('/api/v1/imports', { source: freshCode(), readAt: '2027-01-01' });
  if (answer.status !== 201) throw new Error(`Could not create an import: ${answer.status} ${answer.text}`);
  return answer.json.data.id;
}

/** For each webhook that was created, the ID of a delivery. */
const deliveries = new Map<string, string>();
export function deliveryOf(webhook: string): string {
  return deliveries.get(webhook) ?? webhook;
}

/**
 * Creates a webhook with a delivery that always fails. If the account is at its limit, earlier webhooks are deleted.
 */
export async function makeWebhook(api: Api): Promise<string> {
  const url = 'https://receiver.invalid/';
  const make = () => api.post('/api/v1/webhooks', { url, events: ['folder.created'] });
  let answer = await make();
  if (answer.status === 403) {
    for (const { id } of (await api.get('/api/v1/webhooks')).json.data)
      await api.delete(`/api/v1/webhooks/${id}`);
    answer = await make();
  }
  if (answer.status !== 201) throw new Error(`Could not create a webhook: ${answer.status} ${answer.text}`);
  const { id } = answer.json.data;
  deliveries.set(id, (await api.post(`/api/v1/webhooks/${id}/test`)).json.data.id);
  return id;
}

/**
 * Returns the kind of record that an endpoint's path parameter identifies, by ID or, for a link, also by code or
 * external ID.
 */
export function recordOf(endpoint: Endpoint): RecordKind | undefined {
  if (endpoint.path === '/aliases/:code') return 'alias';
  if (endpoint.path.endsWith('/:code')) return 'code';
  if (endpoint.path.endsWith('/:externalId')) return 'externalId';
  if (endpoint.path.includes('/:keyId')) return 'key';
  if (!endpoint.path.includes(':id')) return undefined;
  if (endpoint.path.startsWith('/tags/')) return 'tag';
  if (endpoint.path.startsWith('/sessions/')) return 'session';
  if (endpoint.path.startsWith('/shares/')) return 'share';
  if (endpoint.path.startsWith('/utm-templates/')) return 'template';
  if (endpoint.path.startsWith('/domains/')) return 'domain';
  if (endpoint.path.startsWith('/members/')) return 'member';
  if (endpoint.path.startsWith('/invitations/')) return 'invitation';
  if (endpoint.path.startsWith('/imports/')) return 'import';
  if (endpoint.path.startsWith('/webhooks/')) return 'webhook';
  return endpoint.path.startsWith('/links/') ? 'link' : 'folder';
}

export function pathWith(endpoint: Endpoint, id: string): string {
  const path = endpoint.path
    .replace(':revision', '1')
    .replace(':delivery', deliveryOf(id))
    .replace(':name', encodeURIComponent(id) || freshCode());
  return apiPrefix + path.replace(/:\w+/, encodeURIComponent(id));
}

/** Returns the endpoint's example body, but with an existing folder and tag and an unused code. */
export function bodyWith(
  { path, fields, exampleBody }: Endpoint,
  folderId: string,
  tagId = folderId,
): Record<string, unknown> | undefined {
  if (fields === undefined) return undefined;
  return {
    ...exampleBody,
    ...('customCode' in exampleBody && { customCode: freshCode() }),
    ...(path.startsWith('/manifests') && {
      links: [{ customCode: freshCode(), url: 'https://example.com/' }],
    }),
    ...(fields.includes('folderId') && { folderId }),
    ...(fields.includes('into') && { into: tagId }),
    // Tag and template names are unique.
    ...(/^\/(?:tags|utm-templates)/.test(path) && fields.includes('name') && { name: freshCode() }),
    // An import with the same source would continue the earlier import.
    ...(path === '/imports' && { source: freshCode() }),
    // The time must be within the retention period of events.
    ...(path.endsWith('/replay') && { since: new Date().toISOString() }),
    ...(fields.includes('host') && { host: `${freshCode()}.example.com` }),
  };
}

/** Creates a record for one request, owned by the caller, and returns its ID or code. */
export async function makeRecord(api: Api, kind: RecordKind): Promise<string> {
  if (kind === 'folder') return makeFolder(api);
  if (kind === 'link') return makeLink(api);
  if (kind === 'tag') return makeTag(api);
  if (kind === 'key') {
    // The key does not have all scopes, so that keys other than the operator's can change it.
    const made = { name: 'made for one request', scopes: ['links:read'] };
    return (await api.post('/api/v1/keys', made)).json.data.id;
  }
  if (kind === 'session') return (await api.post('/api/v1/session')).json.data.id;
  if (kind === 'share') return makeShare(api);
  if (kind === 'template') return makeTemplate(api);
  if (kind === 'domain') return makeDomain(api);
  if (kind === 'invitation') return (await makeInvitation(api)).id;
  if (kind === 'member') return (await makeMember(api)).id;
  if (kind === 'import') return makeImport(api);
  if (kind === 'webhook') return makeWebhook(api);
  const name = freshCode();
  if (kind === 'alias') {
    await api.post(`/api/v1/links/${await makeLink(api)}/aliases`, { customCode: name });
    return name;
  }
  await makeLink(api, kind === 'code' ? { customCode: name } : { externalId: name });
  return name;
}
