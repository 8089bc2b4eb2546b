import type { Page } from 'playwright-core';
import { newMember } from '../support/server/members.ts';
import { makeLink } from '../support/server/records.ts';
import { as, call, type Service, type TestKey } from '../support/server/server.ts';
import { addMissedVisits, addPastClicks } from './past-clicks.ts';

type Role = 'button' | 'menuitem' | 'option' | 'tab' | 'link';

/**
 * A screen's state: the screen's URL, the actions that lead to the state, and an element that is present once the state
 * is loaded.
 */
export interface State {
  readonly path: string;
  readonly there: string;
  readonly act?: (page: Page) => Promise<void>;
}

/** Returns a function that clicks elements by name, in order. */
const press =
  (...names: readonly (string | RegExp | readonly [Role, string])[]) =>
  async (page: Page): Promise<void> => {
    for (const one of names) {
      const [role, name] =
        typeof one === 'string' || one instanceof RegExp ? (['button', one] as const) : one;
      await page.getByRole(role, { name }).filter({ visible: true }).first().click();
    }
  };
const item = (name: string) => ['menuitem', name] as const;
const option = (name: string) => ['option', name] as const;
const type = (label: string, text: string) => (page: Page) => page.getByLabel(label).fill(text);
const keys =
  (...all: readonly string[]) =>
  async (page: Page): Promise<void> => {
    for (const key of all) await page.keyboard.press(key);
  };
/** Returns a function that selects the first row and then presses more keys. */
const selected =
  (...more: readonly string[]) =>
  async (page: Page): Promise<void> => {
    await page.locator('.row').first().focus();
    await keys('x', ...more)(page);
  };

const address = 'https://example.com/fair?utm_source=poster';
const parts = [
  /^Code options/,
  /^UTM/,
  /^Folder/,
  /^Tags/,
  /^Schedule and limits/,
  /^Password/,
  /^Redirect/,
  /^Social card/,
  /^Description/,
];

/** States of an account with all kinds of data. */
export const filled: readonly State[] = [
  { path: '', there: '.changed li' },
  { path: '', there: '.command [role=option]', act: keys('Control+k') },
  { path: '/nowhere', there: '.state-page h1' },
  { path: '', there: '.command [role=option]', act: keys('Control+k', 'd', 'o', 'm') },
  { path: '/activity', there: '.time-line li' },
  { path: '/activity?kind=link', there: '.time-line li' },
  { path: '/compare', there: '.page .soft' },
  { path: '/compare', there: '.picker', act: press(/^Add$/) },
  { path: '/compare?of=campaign:spring&of=campaign:autumn', there: '.compare tbody tr:nth-child(2)' },
  { path: '/compare?of=campaign:spring', there: '.shares', act: press('Share') },
  { path: '/links?accounts', there: 'dialog .accounts' },
  { path: '/device', there: '.device, h1' },
  { path: '/webhooks', there: '.state-page' },
  { path: '/webhooks?add', there: 'dialog' },
  { path: '/links', there: '.row .sparkline' },
  { path: '/links', there: '[role=menu]', act: press('Newest first') },
  { path: '/links', there: '[role=menu]', act: press('Columns') },
  { path: '/links', there: '[role=menu]', act: press('Export') },
  { path: '/links', there: '[role=menu]', act: press('Saved views') },
  { path: '/links', there: '.picker', act: press('Filter') },
  { path: '/links', there: '.picker [role=option][aria-checked]', act: press('Filter', option('Status')) },
  { path: '/links', there: '.picker [aria-label=Destination]', act: press('Filter', option('Destination')) },
  { path: '/links', there: '.filter-day input', act: press('Filter', option('Created after')) },
  { path: '/links', there: '.bulk-bar', act: selected() },
  { path: '/links', there: '.bulk-bar', act: selected('Control+a', 'Control+a') },
  { path: '/links', there: 'dialog', act: selected('m') },
  { path: '/links', there: 'dialog', act: selected('t') },
  {
    path: '/links',
    there: 'dialog',
    async act(page) {
      await selected()(page);
      await page.locator('.bulk-bar').getByRole('button', { name: 'Expiry' }).click();
    },
  },
  {
    path: '/links',
    there: '[role=menu]',
    async act(page) {
      await page.locator('.row').first().hover();
      await page.locator('.row').first().getByRole('button', { name: 'More' }).click();
    },
  },
  { path: '/links?status=archived', there: '.row' },
  { path: '/links?tag=poster&sort=clicks', there: '.row' },
  { path: '/links?q=fairr', there: '.ways .button' },
  { path: '/links?host=nowhere.example', there: '.state-page' },
  { path: '/links?help', there: '.help-columns' },
  { path: '/links?many', there: '.bulk-create' },
  { path: '/links?campaign', there: '.channels li' },
  {
    path: '/links?many',
    there: '.bulk-create .error, .bulk-create [aria-invalid]',
    async act(page) {
      await type('Paste links or CSV', 'https://example.com/a,fair\nno address,\n')(page);
      await press(/^Create \d/)(page);
    },
  },
  { path: `/links?new&url=${encodeURIComponent(address)}`, there: '.utm' },
  {
    path: '/links?new&url=https://example.com/',
    there: '.builder',
    act: press(...parts),
  },
  {
    path: '/links?new&url=https://example.com/&part=rules',
    there: '.builder [role=combobox]',
    act: press('Add rule'),
  },
  {
    path: '/links?new&url=nonsense&code=fair',
    there: '.builder [aria-invalid=true]',
    act: keys('Control+Enter'),
  },
  { path: '/links?edit=fair', there: '.why li', act: press('Test rules') },
  { path: '/links?edit=nothing-here', there: 'dialog .failure' },
  { path: '/links?qr=fair', there: '.dialog svg, .dialog canvas' },
  { path: '/links/fair', there: '.chart' },
  { path: '/links/fair', there: '[role=menu]', act: press('More') },
  { path: '/links/fair', there: 'input[aria-label="Edit title"]', act: press('Fair') },
  { path: '/links/fair', there: '.link-head input', act: press('Edit destination') },
  { path: '/links/fair?codes=fair', there: 'dialog' },
  { path: '/links/fair?share=fair', there: 'dialog' },
  { path: '/links/fair?share=fair', there: '.shared-slip', act: press('Create share link') },
  { path: '/links/fair#history', there: '.time-line li' },
  { path: '/links/fair', there: '.restore-preview', act: press('Restore this version') },
  { path: '/links/off', there: '.why' },
  { path: '/links/nothing-here', there: '.state-page h1' },
  { path: '/statistics', there: '.bar-row' },
  { path: '/statistics?table=1&filter=referrer:is:news.example', there: 'table' },
  { path: '/statistics?period=today', there: '.chart' },
  { path: '/statistics?period=12m&by=utmFrom,network,browser,folder', there: '.bar-row' },
  { path: '/statistics', there: '.picker', act: press('All links') },
  { path: '/statistics', there: '[role=menu]', act: press('Last 30 days') },
  { path: '/statistics', there: '[role=menu]', act: press('Previous 30 days') },
  { path: '/statistics', there: '[role=menu]', act: press('Export') },
  { path: '/statistics', there: '.popover', act: press('Filter') },
  { path: '/statistics', there: '.picker [aria-label=Referrer]', act: press('Filter', option('Referrer')) },
  { path: '/statistics', there: 'dialog .bar-row', act: press(/^Show all [1-9]/) },
  { path: '/folders', there: '.ledger .sparkline' },
  { path: '/folders', there: '[role=menu]', act: press('More options for Spring') },
  { path: '/folders?add', there: 'dialog' },
  { path: '/tags', there: '.ledger .sparkline' },
  { path: '/tags', there: 'dialog', act: press('More options for poster', item('Rename')) },
  { path: '/tags', there: 'dialog', act: press('More options for poster', item('Merge into…')) },
  { path: '/tags?add', there: 'dialog' },
  { path: '/bin', there: '.bin-link' },
  { path: '/domains', there: '.ledger', act: press('More options for go.fair.example') },
  { path: '/domains?add', there: 'dialog' },
  { path: '/domains', there: '.dns li', act: press(['link', 'go.fair.example']) },
  {
    path: '/domains',
    there: 'dialog',
    act: press(['link', 'go.fair.example'], 'Delete domain'),
  },
  { path: '/people', there: '.members-table' },
  { path: '/people?invite', there: '.role-option' },
  { path: '/people?invite', there: '.key-text', act: keys('Control+Enter') },
  {
    path: '/people',
    there: '.role-option',
    act: press('More options for Grace Hopper', item('Change role')),
  },
  { path: '/people', there: '.left-keys', act: press('More options for Grace Hopper', item('Remove')) },
  { path: '/keys', there: '.ledger' },
  { path: '/keys?key', there: '.rights' },
  {
    path: '/keys?key',
    there: '.key-text',
    async act(page) {
      await type('Name', 'Program')(page);
      await keys('Control+Enter')(page);
    },
  },
  { path: '/keys', there: 'dialog', act: press('More options for Program', item('Rotate')) },
  { path: '/keys', there: 'dialog', act: press('More options for Program', item('Revoke')) },
  { path: '/settings', there: '.branding figure' },
  { path: '/first', there: '.steps' },
];

/** States of an empty account. */
export const empty: readonly State[] = [
  { path: '', there: '.first-home .steps' },
  { path: '/links', there: '.state-page' },
  { path: '/statistics', there: '.chart-place' },
  { path: '/folders', there: '.state-page' },
  { path: '/tags', there: '.state-page' },
  { path: '/bin', there: '.state-page' },
  { path: '/domains', there: '.state-page' },
  { path: '/people', there: '.state-page' },
  { path: '/imports', there: '.import-drop' },
  { path: '/keys', there: '.ledger' },
];

/** States whose requests fail. Each state has its own URL. */
export const refusable: readonly State[] = [
  { path: '/links?q=vain', there: '.failure' },
  { path: '/links/vain', there: '.failure' },
  { path: '/statistics?period=7d', there: '.failure' },
  { path: '/bin', there: '.failure' },
  { path: '/keys', there: '.failure' },
];

/** States that are checked while their responses are pending. */
export const awaited: readonly State[] = [
  { path: '/links?q=waits', there: '.page-head' },
  { path: '/statistics?period=month', there: '.chart-waiting' },
  { path: '/bin', there: '.skeleton-rows' },
  { path: '/keys', there: '.skeleton-rows' },
];

/** Paths of visitor pages without a redirect. */
export const visited = '/ /no-such-code /fair+ /locked /off /over /later /once /used-up'.split(' ');

const dayMs = 86_400_000;
const logo =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

/**
 * Fills an account with all kinds of data.
 * @returns the URLs of a public share and of a password-protected share
 */
export async function fill(server: Service, { key }: TestKey): Promise<[string, string]> {
  const api = as(server, key);
  const grace = await newMember(server, api, 'admin', 'Grace Hopper');
  await grace.send('POST', '/keys', { name: 'Of Grace' });
  const now = Date.now();
  // Times are relative to each request, because earlier requests may have been slow on a busy machine.
  const at = (ms: number) => new Date(Date.now() + ms).toISOString();
  const folderId = (await api.post('/api/v1/folders', { name: 'Spring' })).json.folder.id;
  await api.post('/api/v1/folders', { name: 'Empty' });
  await makeLink(api, { customCode: 'off', title: 'Off', disabled: true });
  await makeLink(api, { customCode: 'locked', title: 'Locked', password: 'open sesame' });
  await makeLink(api, { customCode: 'later', title: 'Later', startsAt: at(dayMs) });
  await makeLink(api, { customCode: 'over', title: 'Over', expiresAt: at(5_000) });
  await makeLink(api, { customCode: 'once', title: 'Once', maxClicks: 1 });
  await makeLink(api, { customCode: 'used-up', title: 'Used up', maxClicks: 2 });
  await makeLink(api, { customCode: 'put-away', title: 'Put away', archived: true });
  await api.delete(`/api/v1/links/${await makeLink(api, { customCode: 'gone', title: 'Gone' })}`);
  const off = await makeLink(api, { customCode: 'dead', title: 'Dead', disabled: true });
  const soon = await makeLink(api, {
    customCode: 'long-code-'.repeat(4),
    title: 'A title that is long enough to be cut off somewhere, עברית and 🚲 in it',
    tags: ['one', 'two', 'three', 'poster'],
    expiresAt: at(6 * dayMs),
    folderId,
  });
  const fair = await makeLink(api, {
    customCode: 'fair',
    title: 'Fair',
    description: 'At the gate of the fair',
    tags: ['poster'],
    folderId,
    rules: [
      { when: [{ fact: 'country', values: ['DE', 'AT', ''] }], to: { url: 'https://example.com/de' } },
      {
        name: 'A name that is long enough to be cut off somewhere in a narrow window',
        when: [
          { fact: 'time', zone: 'Europe/Vienna', days: ['sat'], from: '09:00' },
          { fact: 'query', name: 'ref', values: ['a'] },
          { fact: 'date', from: '2027-01-01T00:00:00Z' },
        ],
        to: { split: [{ url: `https://example.com/${'long-'.repeat(20)}`, weight: 1 }] },
      },
      { when: [{ fact: 'device', values: ['tablet'] }], to: { gone: true } },
    ],
  });
  await api.post(`/api/v1/links/${fair}/aliases`, { customCode: 'fair-2' });
  const referrers = Array.from({ length: 12 }, (_, n) => `news-${n}.example`);
  await addPastClicks(server, [
    ...referrers.map((referrer, n) => ({
      linkId: fair,
      at: now - 3_600_000 - n * dayMs,
      times: 3 + n,
      referrer,
    })),
    { linkId: fair, at: now - 2 * dayMs, times: 40, referrer: 'news.example' },
    { linkId: soon, at: now - 8 * dayMs, times: 60 },
  ]);
  await api.post('/api/v1/domains', { host: 'go.fair.example' });
  await addMissedVisits(server, off, 2, 17);
  await api.put('/api/v1/branding', { name: 'Acme Bikes', accent: '#7a1f5a', logo });
  const headers = { 'user-agent': 'Mozilla/5.0 (X11; Linux x64; rv:140.0) Gecko/20100101 Firefox/140.0' };
  for (let visits = 0; visits < 2; visits += 1) await call(server, 'GET', '/used-up', { headers });
  const { token } = (await api.post(`/api/v1/links/${fair}/share`, {})).json.data;
  const subjects = [{ kind: 'folder', id: folderId }];
  const locked = (await api.post('/api/v1/shares', { subjects, password: 'open sesame' })).json.data.token;
  return [`/dashboard/shared/${token}`, `/dashboard/shared/${locked}`];
}
