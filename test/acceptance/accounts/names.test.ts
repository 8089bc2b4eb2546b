import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newMember } from '../../support/server/members.ts';
import {
  type Api,
  freshCode,
  makeFolder,
  makeInvitation,
  makeMember,
  makeTag,
} from '../../support/server/records.ts';
import { as } from '../../support/server/server.ts';
import { sharedServer } from '../../support/server/shared-server.ts';

/**
 * Characters that make names look alike or control a terminal: C1 controls, DEL, line separators, bidirectional
 * formatting.
 */
const deceptive = [0x7f, 0x9b, 0x2028, 0x202e, 0x2066, 0x2069];

const url = 'https://example.com/';
const id = '7d0f6f1e-2b3c-4f5a-8e9d-0a1b2c3d4e5f';

/** Each request that sets a name, and its success status. */
const ways: Readonly<Record<string, (api: Api, name: string) => Promise<{ status: number; text: string }>>> =
  {
    folder: (api, name) => api.post('/api/v1/folders', { name }),
    'folder renamed': async (api, name) => api.patch(`/api/v1/folders/${await makeFolder(api)}`, { name }),
    tag: (api, name) => api.post('/api/v1/tags', { name }),
    'tag renamed': async (api, name) => api.patch(`/api/v1/tags/${await makeTag(api)}`, { name }),
    'tag of a link': (api, name) => api.post('/api/v1/shorten', { url, tags: [name] }),
    'rule of a link': (api, name) =>
      api.post('/api/v1/shorten', { url, rules: [{ name, when: [], to: { url } }] }),
    key: (api, name) => api.post('/api/v1/keys', { name }),
    'member joining': async (api, name) =>
      api.post('/api/v1/invitations/accept', { token: (await makeInvitation(api)).token, name }),
    'member renamed': async (api, name) =>
      api.patch(`/api/v1/members/${(await makeMember(api)).id}`, { name }),
    device: (api, name) => api.post('/api/v1/devices', { name }),
    passkey: async (api, name) =>
      (await newMember(await sharedServer(), api, 'viewer')).send('PATCH', `/passkeys/${id}`, { name }),
    webhook: (api, name) =>
      api.post('/api/v1/webhooks', { url, events: ['folder.created'], description: name }),
    template: (api, name) => api.post('/api/v1/utm-templates', { name, utm: { source: 'mail' } }),
    brand: (api, name) => api.put('/api/v1/branding', { name }),
    domain: (api, name) => api.post('/api/v1/domains', { host: `${name}.example.com` }),
  };

test('rejects characters in names that make one look like another; titles and descriptions keep them', async () => {
  const server = await sharedServer();
  for (const [what, give] of Object.entries(ways)) {
    const api = as(server, (await server.newKey()).key);
    for (const code of deceptive) {
      const answer = await give(api, `a${String.fromCodePoint(code)}(owner)`);
      assert.ok([400, 422].includes(answer.status), `${what}, U+${code.toString(16)}: ${answer.text}`);
    }
    // Right-to-left marks occur in Hebrew and Arabic names; tags and hosts have stricter rules.
    const good = await give(api, /^(?:tag|domain)/.test(what) ? freshCode() : '\u05d0\u05d1\u200f 1');
    const known = what === 'passkey' ? [404] : [200, 201];
    assert.ok(known.includes(good.status), `${what}: ${good.status} ${good.text}`);
  }
  const api = as(server, (await server.newKey()).key);
  const title = 'a \u2067title\u2069';
  const made = await api.post('/api/v1/shorten', { url, title, description: title });
  const { data } = (await api.get(`/api/v1/links/by-code/${made.json.data.shortCode}`)).json;
  assert.deepEqual([data.title, data.description], [title, title], made.text);
});
