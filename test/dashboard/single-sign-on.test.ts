import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { openBrowser, whyNoBrowser } from '../support/http/browser.ts';
import { violationsOn } from '../support/http/dashboard.ts';
import { clientId, clientSecret, openProvider, type TestProvider } from '../support/oidc/provider.ts';
import { makeInvitation } from '../support/server/records.ts';
import { as, type Server, startServer } from '../support/server/server.ts';

const pictures = process.env['LINKFOLD_PICTURES'];

describe('single sign-on in a browser', { skip: whyNoBrowser() ?? false }, () => {
  let provider: TestProvider;
  let server: Server;
  let browser: Browser;
  before(async () => {
    [provider, browser] = await Promise.all([openProvider(), openBrowser()]);
    server = await startServer({
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: clientId,
      OIDC_CLIENT_SECRET: clientSecret,
      OIDC_NAME: 'Example ID',
      OIDC_SCOPES: 'openid profile email groups',
      OIDC_GROUPS: 'writers=default:editor',
    });
    await provider.serve(`${server.url}/dashboard/oidc`);
  });
  after(async () => {
    await browser.close();
    await server.stop();
    await provider.close();
  });

  const open = async (options: Parameters<Browser['newContext']>[0] = {}): Promise<Page> =>
    (await browser.newContext({ locale: 'en-GB', ...options })).newPage();
  const look = async (page: Page, name: string) => {
    assert.deepEqual(await violationsOn(page), [], name);
    if (pictures !== undefined) await page.screenshot({ path: `${pictures}/${name}.png` });
  };
  const signInThere = async (page: Page, sub: string) => {
    await page.getByLabel('Who are you?').fill(sub);
    await page.getByRole('button', { name: 'Sign in' }).click();
  };
  const button = (page: Page) => page.getByRole('button', { name: 'Sign in with Example ID' });

  test('signs in at the provider, returns to the page, signs out; leaves no response behind', async () => {
    provider.users.set('ada', { name: 'Ada Lovelace', groups: ['writers'] });
    const page = await open();
    await page.goto(`${server.url}/dashboard/settings?of=mine`);
    await button(page).waitFor();
    await look(page, 'sign-on');
    await button(page).click();
    await signInThere(page, 'ada');
    await page.getByText('Ada Lovelace · Editor').waitFor();
    assert.equal(page.url(), `${server.url}/dashboard/settings?of=mine`);
    assert.equal(await page.evaluate(`localStorage.getItem('linkfold.signing-in')`), null);
    const cookies = await page.context().cookies(server.url);
    assert.ok(cookies.every(({ httpOnly, sameSite }) => httpOnly || sameSite !== 'None'));
    await page.getByRole('button', { name: 'Sign out' }).click();
    await button(page).waitFor();
  });

  test('accepts an invitation at the provider', async () => {
    const { key } = await server.newKey();
    const { token } = await makeInvitation(as(server, key), 'viewer');
    provider.users.set('lin', { name: 'Lin' });
    const page = await open({ viewport: { width: 390, height: 844 }, colorScheme: 'dark' });
    await page.goto(`${server.url}/dashboard/join#${token}`);
    await page.getByRole('button', { name: 'Join with Example ID' }).waitFor();
    await look(page, 'sign-on-join-phone-dark');
    await page.getByRole('button', { name: 'Join with Example ID' }).click();
    await signInThere(page, 'lin');
    await page.waitForURL(`${server.url}/dashboard`);
    await page.goto(`${server.url}/dashboard/settings`);
    await page.getByText('Lin · Viewer').waitFor();
  });

  test('offers only the provider for an invitation with an email address', async () => {
    const api = as(server, (await server.newKey()).key);
    const made = await api.post('/api/v1/invitations', { role: 'editor', email: 'bob@example.com' });
    for (const options of [
      {},
      { locale: 'de-DE', colorScheme: 'dark', viewport: { width: 360, height: 740 } },
    ] as const) {
      const page = await open(options);
      await page.goto(made.json.data.url);
      await page.getByText('bob@example.com').waitFor();
      await page.getByRole('button', { name: /Example ID/ }).waitFor();
      assert.equal(await page.getByRole('textbox').count(), 0);
      await look(page, `join-bound-${'locale' in options ? 'de' : 'en'}`);
    }
  });

  test('changes nothing before a click when another site opens a sign-in link', async () => {
    provider.users.set('ada', { name: 'Ada Lovelace', groups: ['writers'] });
    const foreign = await server.newKey({ account: 'Evil Corp' });
    const link = JSON.parse(await server.command('login', '--account', foreign.account, '--json')).url;
    for (const options of [
      {},
      { locale: 'de-DE', colorScheme: 'dark', viewport: { width: 360, height: 740 } },
    ] as const) {
      const page = await open(options);
      await page.goto(`${server.url}/dashboard`);
      await page.getByRole('button', { name: /Example ID/ }).click();
      await signInThere(page, 'ada');
      await page.getByRole('heading', { level: 1 }).waitFor();
      const before = await page.context().cookies(server.url);
      // Simulates another site that opens a sign-in link for its own account.
      await page.goto('about:blank');
      await page.goto(link);
      await page.getByRole('heading', { name: /Evil Corp/ }).waitFor();
      await page.getByText(/default (as|als) Ada Lovelace/).waitFor();
      await look(page, `offered-link-${'locale' in options ? 'de' : 'en'}`);
      assert.deepEqual(await page.context().cookies(server.url), before);
      await page.getByRole('button', { name: /Cancel|Abbrechen/ }).click();
      await page.waitForURL(`${server.url}/dashboard`);
      assert.deepEqual(await page.context().cookies(server.url), before);
    }
    const page = await open();
    await page.goto(link);
    await page.getByText('This link can only be used once.').waitFor();
    await look(page, 'offered-link-alone');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('Your server is ready').waitFor();
  });

  test('connects a member in the settings, who then signs in there as themselves', async () => {
    const { key } = await server.newKey();
    const { token } = await makeInvitation(as(server, key), 'viewer');
    provider.users.set('rosa', { name: 'R.' });
    const page = await open();
    await page.goto(`${server.url}/dashboard/join#${token}`);
    await page.getByLabel('Your name').fill('Rosa');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${server.url}/dashboard`);
    await page.goto(`${server.url}/dashboard/settings`);
    await page.getByRole('button', { name: 'Connect Example ID' }).click();
    await signInThere(page, 'rosa');
    await page.getByRole('button', { name: 'Disconnect Example ID' }).waitFor();
    await look(page, 'connected');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await button(page).click();
    await page.getByText('Rosa · Viewer').waitFor();
    await page.getByRole('button', { name: 'Disconnect Example ID' }).click();
    await page.getByText('Disconnected').waitFor();
  });

  test('signs out of the provider too, if supported: it asks for the identity again', async () => {
    provider.users.set('kim', { name: 'Kim', groups: ['writers'] });
    const page = await open();
    await page.goto(`${server.url}/dashboard/settings`);
    await button(page).click();
    await signInThere(page, 'kim');
    await page.getByText('Kim · Editor').waitFor();
    await page.getByRole('link', { name: 'Kim', exact: true }).click();
    await page.getByRole('button', { name: 'Sign out, including from Example ID' }).waitFor();
    await look(page, 'sign-out-there');
    await page.getByRole('button', { name: 'Sign out, including from Example ID' }).click();
    await page.getByRole('button', { name: 'Yes, sign me out' }).click();
    await page.waitForURL(`${server.url}/dashboard`);
    await button(page).click();
    await page.getByLabel('Who are you?').waitFor();
  });

  test('explains a denied sign-in, a response from another browser, or an unavailable provider', async () => {
    provider.users.set('eve', { name: 'Eve' });
    const page = await open({ viewport: { width: 390, height: 844 } });
    await page.goto(`${server.url}/dashboard`);
    await button(page).waitFor();
    await look(page, 'sign-on-phone');
    await button(page).click();
    await signInThere(page, 'eve');
    await page.getByText('but have no access here').waitFor();
    await look(page, 'sign-on-refused-phone');
    assert.equal(new URL(page.url()).search, '', 'the answer is not in the address');
    await page.getByRole('link', { name: 'Back to sign-in' }).click();
    await button(page).waitFor();

    const victim = await open({ colorScheme: 'dark' });
    await victim.goto(`${server.url}/dashboard/oidc?code=of-the-thief&state=of-the-thief`);
    await victim.getByText('started in another browser or was already completed').waitFor();
    await victim.goto(`${server.url}/dashboard`);
    await button(victim).waitFor();
    await look(victim, 'sign-on-dark');
    await button(victim).click();
    await victim.getByLabel('Who are you?').waitFor();
    provider.users.set('ada', { name: 'Ada Lovelace', groups: ['writers'] });
    await victim.route('**/api/v1/session/oidc', async (route) => {
      provider.state = 'down';
      await route.continue();
    });
    await signInThere(victim, 'ada');
    await victim.getByText('does not respond correctly').waitFor();
    await look(victim, 'sign-on-away-dark');
    provider.state = 'up';
  });
});
