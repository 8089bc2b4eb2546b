import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { type DnsServer, startDns } from '../support/dns/dns-server.ts';
import { openBrowser, whyNoBrowser } from '../support/http/browser.ts';
import { openDashboard, scrollsSideways, violationsOn } from '../support/http/dashboard.ts';
import { freePort } from '../support/http/ports.ts';
import { type Api, freshCode } from '../support/server/records.ts';
import { as, call, type Server, startServer } from '../support/server/server.ts';
import { until } from '../support/until.ts';

type DnsRecord = { type: 'TXT' | 'CNAME'; name: string; value: string };
type Domain = { id: string; host: string; records: DnsRecord[] };

describe('domains in the dashboard', { skip: whyNoBrowser() ?? false }, () => {
  let dns: DnsServer;
  let server: Server;
  let browser: Browser;
  /** The server's address. Short URLs have another host. */
  let at: { readonly url: string };
  before(async () => {
    const port = await freePort();
    at = { url: `http://127.0.0.1:${port}` };
    dns = await startDns();
    const settings = { PORT: String(port), BASE_URL: 'https://sho.rt', DNS_SERVERS: dns.address };
    [server, browser] = await Promise.all([startServer(settings), openBrowser()]);
  });
  after(async () => {
    await browser.close();
    await server.stop();
    await dns.close();
  });

  const open = async (path: string, options: Parameters<typeof openDashboard>[3] = {}) => {
    const { key } = await server.newKey();
    const screen = await openDashboard(browser, at, key, options);
    const api = as(at, key);
    const go = (where: string) => screen.page.goto(`${at.url}/dashboard${where}`);
    await go(path);
    return { ...screen, api, go };
  };
  const freshHost = () => `go.${freshCode()}.example`.toLowerCase();
  const publish = ({ type, name, value }: DnsRecord) => {
    dns.zone[name] = { [type]: [value] };
  };
  const recordOn = (page: Page, type: string) => page.locator(`[data-record=${type}]`);
  const stateOf = (page: Page, type: string, words: string) =>
    recordOn(page, type).getByText(words, { exact: true }).waitFor();
  const add = async (api: Api, host = freshHost()): Promise<Domain> => {
    const made = await api.post('/api/v1/domains', { host });
    assert.equal(made.status, 201, made.text);
    return made.json.data;
  };
  const active = async (api: Api, host?: string): Promise<Domain> => {
    const domain = await add(api, host);
    for (const record of domain.records) publish(record);
    const proven = await api.post(`/api/v1/domains/${domain.id}/verify`);
    assert.equal(proven.json.data.status, 'active', proven.text);
    return domain;
  };
  const shorten = (api: Api, fields: object) =>
    api.post('/api/v1/shorten', { url: 'https://example.com/', ...fields });
  const visit = async (host: string, path: string) =>
    (await call(at, 'GET', path, { headers: { host } })).headers.get('location');

  test('offers to create unknown codes of golinks domains, and lists similar links', async () => {
    const { page, complaints, close, api } = await open('/links');
    const { id, host } = await active(api);
    await shorten(api, { domain: host, customCode: 'on-call', title: 'Who is on call' });
    await page.goto(`${at.url}/dashboard/domains/${id}`);
    await page.getByLabel('Golinks').check();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText(`Settings for ${host} saved`).waitFor();
    assert.equal(await visit(host, '/oncall'), 'https://example.com/');

    const unknown = await call(at, 'GET', '/on-cal', { headers: { host, accept: 'text/html' } });
    const [, path = ''] = /href="https:\/\/sho\.rt(\/dashboard\/[^"]+)"/.exec(unknown.text) ?? [];
    await page.goto(at.url + path.replaceAll('&amp;', '&'));
    await page.getByRole('heading', { name: `${host}/on-cal does not exist yet` }).waitFor();
    assert.equal(
      await page.getByRole('link', { name: `${host}/on-call` }).getAttribute('href'),
      `https://${host}/on-call`,
    );
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 800 });
      assert.equal(await scrollsSideways(page), false, `${width} wide`);
      assert.deepEqual(await violationsOn(page), []);
    }
    await page.getByRole('button', { name: 'Create link' }).click();
    await page.getByLabel('Destination').fill('https://example.com/calendar');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await until(
      'the link works',
      async () => (await visit(host, '/on-cal')) === 'https://example.com/calendar',
    );

    await shorten(api, { domain: host, customCode: 'wiki' });
    await page.goto(`${at.url}/dashboard/golink?domain=elsewhere.example&name=wiki`);
    await page.getByRole('heading', { name: 'This domain is not in your account' }).waitFor();
    assert.deepEqual(complaints, []);
    await close();
  });

  test('names the codes that golinks would treat as the same', async () => {
    const { page, close, api } = await open('/links');
    const { id, host } = await active(api);
    for (const customCode of ['how-to', 'howto']) await shorten(api, { domain: host, customCode });
    await page.goto(`${at.url}/dashboard/domains/${id}`);
    await page.getByLabel('Golinks').check();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('The codes how-to and howto would be the same.').waitFor();
    await close();
  });

  test('adds a domain, sets records, verifies it, and creates a working link by keyboard', async () => {
    const { page, complaints, close, api } = await open('/domains', {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    const host = freshHost();
    await page.getByRole('heading', { name: 'No custom domains yet' }).waitFor();
    await page.keyboard.press('c');
    await page.getByLabel('Domain', { exact: true }).fill('192.0.2.1');
    await page.keyboard.press('Enter');
    await page.getByText('Enter a domain such as go.example.com').waitFor();
    await page.getByLabel('Domain', { exact: true }).fill(`https://${host.toUpperCase()}/`);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: host, exact: true }).waitFor();
    await page.getByText('Pending DNS').waitFor();
    await stateOf(page, 'TXT', 'Not found');
    // Copies a value, as a user does to paste it at the DNS provider.
    const copied = async (name: string) => {
      await page.getByRole('button', { name, exact: true }).click();
      return page.evaluate<string>('navigator.clipboard.readText()');
    };
    const txt = {
      type: 'TXT',
      name: await copied('Copy name of the TXT record'),
      value: await copied('Copy value of the TXT record'),
    } as const;
    assert.equal(txt.name, `_linkfold.${host}`);
    publish(txt);
    // The page checks the record again automatically.
    await stateOf(page, 'TXT', 'Found');
    await page.getByText('Ownership verified. Links work once the second DNS record is found.').waitFor();
    publish({ type: 'CNAME', name: host, value: await copied('Copy value of the CNAME record') });
    await page.getByRole('button', { name: 'Check now' }).click();
    await stateOf(page, 'CNAME', 'Found');
    await page.getByText('Both records found.').waitFor();
    assert.equal(dns.asked.includes(`TXT _linkfold.${host}`), true);

    await page.getByRole('button', { name: 'Create link' }).click();
    await page.getByLabel('Destination').fill('https://example.com/sale');
    assert.equal(await page.getByLabel('Domain', { exact: true }).inputValue(), host);
    await page.getByLabel('Code', { exact: true }).fill('sale');
    await page.getByText('Available', { exact: true }).waitFor();
    await page.keyboard.press('Control+Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    assert.equal(await page.evaluate('navigator.clipboard.readText()'), `https://${host}/sale`);
    assert.equal(await visit(host, '/sale'), 'https://example.com/sale');
    assert.equal(await visit('sho.rt', '/sale'), null);
    const { json } = await api.get('/api/v1/links/by-code/sale?domain=sho.rt');
    assert.equal(json.error.code, 'LINK_NOT_FOUND');
    assert.deepEqual(
      complaints.filter((one) => !one.includes('status of 404')),
      [],
    );
    await close();
  });

  test('explains a wrong value; no screen has an error', async () => {
    const { page, api, close, go } = await open('/domains');
    const domain = await add(api, `go.kürz${freshCode()}.example`.toLowerCase());
    const [txt, cname] = domain.records as [DnsRecord, DnsRecord];
    publish({ ...txt, value: 'linkfold=somebody-else' });
    dns.zone[cname.name] = { A: ['93.184.215.14'] };
    await go(`/domains/${domain.id}`);
    await stateOf(page, 'TXT', 'Wrong value');
    await recordOn(page, 'TXT').getByText('linkfold=somebody-else').waitFor();
    await recordOn(page, 'TXT').getByText('This value belongs to another account').waitFor();
    await recordOn(page, 'CNAME').getByText('93.184.215.14').waitFor();
    await recordOn(page, 'CNAME').getByText('On Cloudflare, set the record to “DNS only”').waitFor();
    // The page shows the host in Unicode, and the API returns it in ASCII.
    assert.ok((await page.locator('h1').innerText()).startsWith('go.kürz'));
    await page.getByText(domain.host, { exact: true }).first().waitFor();
    dns.zone[cname.name] = { CNAME: ['shop.example.org'] };
    dns.zone['shop.example.org'] = { A: ['93.184.215.14'] };
    await page.getByRole('button', { name: 'Check now' }).click();
    await recordOn(page, 'CNAME').getByText('shop.example.org').waitFor();
    await recordOn(page, 'CNAME').getByText('The record points to another server.').waitFor();
    for (const colorScheme of ['light', 'dark'] as const)
      for (const path of ['/domains', '/domains?add', `/domains/${domain.id}`]) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width: colorScheme === 'dark' ? 390 : 1280, height: 800 });
        await go(path);
        await page.locator('h1').waitFor();
        await page.waitForLoadState('networkidle');
        assert.deepEqual(await violationsOn(page), [], `${path} ${colorScheme}`);
        assert.equal(await scrollsSideways(page), false, path);
      }
    await close();
  });

  test('saves settings and redirects visitors; chooses the default; keeps a domain with links', async () => {
    const { page, api, close, go } = await open('/domains');
    const domain = await active(api);
    const { id, host } = domain;
    await go(`/domains/${id}`);
    await page.getByLabel('Redirect for /').fill('nonsense');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Enter a URL that starts with').waitFor();
    await page.getByLabel('Redirect for /').fill('example.com/home');
    await page.getByText('Case-sensitive', { exact: true }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText(`Settings for ${host} saved`).waitFor();
    // For app files, the page reports invalid JSON; a valid file is served.
    await page.getByText('App links').click();
    const apps = page.locator('details');
    await apps.getByLabel('assetlinks.json').fill('[');
    await apps.getByRole('button', { name: 'Save' }).click();
    await apps.getByText('Invalid JSON.').waitFor();
    await apps.getByLabel('assetlinks.json').fill('[{"relation":[]}]');
    await apps.getByRole('button', { name: 'Save' }).click();
    await until('the file is there', async () => {
      const file = await call(at, 'GET', '/.well-known/assetlinks.json', { headers: { host } });
      return file.text === '[{"relation":[]}]';
    });
    const kept = (await api.get(`/api/v1/domains/${id}`)).json.data;
    assert.deepEqual([kept.rootUrl, kept.codes], ['https://example.com/home', 'exact']);
    assert.equal(await visit(host, '/'), 'https://example.com/home');
    await page.getByRole('button', { name: 'Set as default' }).click();
    await page.getByText('default', { exact: true }).waitFor();
    const made = (await shorten(api, { customCode: '.Odd~1' })).json.data;
    assert.equal(made.shortUrl, `https://${host}/.Odd~1`);

    // The page does not know about the new link. The server rejects the request, and the page shows the reason.
    await page.getByRole('button', { name: 'Delete domain' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Its short links stop working immediately.').waitFor();
    await dialog.getByRole('button', { name: 'Delete domain' }).click();
    await dialog.getByRole('alert').getByText('1 link uses this domain.').waitFor();
    assert.equal((await api.get(`/api/v1/domains/${id}`)).status, 200);
    await dialog.getByRole('link', { name: 'Show links' }).click();
    await page.locator('.row .code').getByText('.Odd~1').waitFor();

    await api.delete(`/api/v1/links/${made.id}`);
    await go(`/domains/${id}`);
    await page.getByRole('button', { name: 'Delete domain' }).click();
    await dialog.getByRole('button', { name: 'Delete domain' }).click();
    await page.getByRole('heading', { name: 'No custom domains yet' }).waitFor();
    assert.equal((await api.get(`/api/v1/domains/${id}`)).status, 404);
    await close();
  });

  test('shows, opens, finds and changes links by domain, and adds codes on another', async () => {
    const { page, api, close, go } = await open('/links');
    await page.getByRole('heading', { name: 'No links yet' }).waitFor();
    const { host } = await active(api);
    const here = (await shorten(api, { customCode: 'sale', title: 'Shared', domain: 'sho.rt' })).json.data;
    const there = (await shorten(api, { customCode: 'sale', title: 'Own', domain: host })).json.data;
    await go('/links');
    const codes = page.locator('.row .code');
    const shown = async () => (await codes.allInnerTexts()).map((text) => text.trim());
    await until('both are listed', async () => (await codes.count()) === 2);
    assert.deepEqual(await shown(), [`${host}/sale`, '/sale']);

    await page.getByRole('button', { name: 'Filter' }).click();
    await page.getByRole('option', { name: 'Domain' }).click();
    await page.getByRole('option', { name: host }).click();
    await until('only one is listed', async () => (await codes.count()) === 1);
    await codes.first().click();
    await page.locator('.link-title').getByText('Own').waitFor();
    assert.equal(await page.locator('h1').innerText(), `${host}/sale`);
    // After a reload, the URL still opens the same link. The other link has its own URL.
    await page.reload();
    await page.locator('.link-title').getByText('Own').waitFor();

    await page.keyboard.press('e');
    await page.getByLabel('Code', { exact: true }).fill('offer');
    await page.getByText('Available', { exact: true }).waitFor();
    await page.keyboard.press('Control+Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await until(
      'it has its new code',
      async () => (await page.locator('h1').innerText()) === `${host}/offer`,
    );
    assert.equal((await api.get(`/api/v1/links/${there.id}`)).json.data.shortUrl, `https://${host}/offer`);

    await go('/links/sale');
    await page.locator('.link-title').getByText('Shared').waitFor();
    await go('/links/sale?codes=sale');
    const dialog = page.getByRole('dialog');
    assert.equal(await dialog.getByLabel('Domain').inputValue(), 'sho.rt');
    await dialog.locator('input:focus').waitFor();
    await dialog.getByLabel('Domain').selectOption(host);
    await dialog.getByLabel('New code').fill('more');
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await dialog.getByText(`${host}/more`).waitFor();
    assert.equal(await visit(host, '/more'), 'https://example.com/');
    await dialog.getByRole('button', { name: 'Make primary' }).click();
    await page.getByRole('heading', { name: 'Codes for /more' }).waitFor();
    assert.equal((await api.get(`/api/v1/links/${here.id}`)).json.data.shortUrl, `https://${host}/more`);
    await close();
  });

  test('creates links in bulk on the chosen domain, except lines that name another', async () => {
    const { page, api, close, go } = await open('/links');
    const { host } = await active(api);
    await go('/links?many');
    await page.locator('textarea:focus').waitFor();
    await page.getByLabel('Domain').selectOption(host);
    await page
      .getByLabel('Paste links or CSV')
      .fill('url,code,domain\nhttps://example.com/1,one\nhttps://example.com/2,two,sho.rt');
    await page.getByRole('button', { name: 'Create 2 links' }).click();
    await page.getByText('2 lines, 2 links created').waitFor();
    assert.equal(await visit(host, '/one'), 'https://example.com/1');
    assert.equal(await visit('sho.rt', '/two'), 'https://example.com/2');
    await close();
  });

  test('never asks for a domain in an account without one', async () => {
    const { page, api, close, go } = await open('/links');
    await add(api);
    await shorten(api, { customCode: 'plain' });
    await go('/links');
    await page.locator('.row').first().waitFor();
    assert.equal((await page.locator('.row .code').innerText()).trim(), '/plain');
    await page.keyboard.press('c');
    await page.getByLabel('Code', { exact: true }).waitFor();
    assert.equal(await page.getByLabel('Domain', { exact: true }).count(), 0);
    await close();
  });
});
