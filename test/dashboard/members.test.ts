import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { openBrowser, whyNoBrowser } from '../support/http/browser.ts';
import { openDashboard, scrollsSideways, violationsOn } from '../support/http/dashboard.ts';
import { openMailServer } from '../support/mail/mail-server.ts';
import { asBrowser, newMember, type Person } from '../support/server/members.ts';
import { as, type Server, startServer } from '../support/server/server.ts';

/** Folder for screenshots. No screenshots are taken if it is undefined. */
const pictures = process.env['LINKFOLD_PICTURES'];

describe('members in the dashboard', { skip: whyNoBrowser() ?? false }, () => {
  let server: Server;
  let browser: Browser;
  before(async () => {
    [server, browser] = await Promise.all([startServer(), openBrowser()]);
  });
  after(async () => {
    await browser.close();
    await server.stop();
  });

  const look = async (page: Page, name: string) => {
    assert.deepEqual(await violationsOn(page, { isOfTop: true }), [], name);
    assert.equal(await scrollsSideways(page), false, name);
    if (pictures !== undefined) await page.screenshot({ path: `${pictures}/${name}.png` });
  };
  /** Opens a browser window in which a member is signed in. */
  const openAs = async (
    { cookie }: Pick<Person, 'cookie'>,
    path: string,
    options: BrowserContextOptions = {},
  ) => {
    const { key } = await server.newKey();
    const screen = await openDashboard(browser, server, key, options);
    const [name = '', value = ''] = cookie.split('=');
    await screen.page.context().addCookies([{ name, value, url: server.url }]);
    await screen.page.goto(`/dashboard${path}`);
    return screen;
  };
  const stranger = async (address: string, options: BrowserContextOptions = {}) => {
    const context = await browser.newContext({ locale: 'en-GB', ...options });
    const page = await context.newPage();
    await page.goto(address);
    return page;
  };

  test('invites, joins in another browser, demotes, signs out there, removes with a key transferred', async () => {
    const { key, account } = await server.newKey();
    const api = as(server, key);
    const owner = await newMember(server, api, 'owner', 'Grace Hopper');
    const { page, close, complaints } = await openAs(owner, '/people');
    await page.getByText('you', { exact: true }).waitFor();
    await look(page, 'people-owner');
    await page.keyboard.press('c');
    await page.getByRole('radio', { name: /^Admin/ }).check();
    await page.getByLabel('Email').fill('nonsense');
    await page.keyboard.press('Control+Enter');
    await page.getByText('email must be a valid address').waitFor();
    await page.getByLabel('Email').fill('ada@example.com');
    await look(page, 'people-invite');
    await page.keyboard.press('Control+Enter');
    const address = await page.locator('.key-text').innerText();
    await look(page, 'people-invited');
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByText('by Grace Hopper').waitFor();

    const ada = await stranger(address);
    await ada.getByRole('heading', { name: `Join ${account}` }).waitFor();
    await ada.getByText('Grace Hopper invited you.').waitFor();
    await look(ada, 'people-join');
    await ada.keyboard.press('Enter');
    await ada.getByText('Enter your name.').waitFor();
    await ada.getByLabel('Your name').fill('Ada Lovelace');
    await ada.keyboard.press('Enter');
    await ada.waitForURL(`${server.url}/dashboard`);
    const late = await stranger(address);
    await late.getByRole('heading', { name: 'This invitation is no longer valid' }).waitFor();
    await look(late, 'people-join-gone');

    const [cookie] = await ada.context().cookies();
    const asAda = asBrowser(server, `${cookie?.name}=${cookie?.value}`);
    // A key with more than link scopes requires a confirmed identity, which an invitation from a member's session does
    // not provide.
    const made = await asAda.send('POST', '/keys', { name: 'Nightly export', scopes: ['links:read'] });
    assert.equal(made.status, 201, made.text);
    const url = 'https://hooks.example.com/linkfold/a-long-address-of-a-receiver-of-the-team';
    const hook = await asAda.send('POST', '/webhooks', { url, events: ['link.created'] });
    assert.equal(hook.status, 201, hook.text);
    await page.reload();
    await page.getByRole('button', { name: 'More options for Ada Lovelace' }).click();
    await page.getByRole('menuitem', { name: 'Change role' }).click();
    await page.getByRole('radio', { name: /^Viewer/ }).check();
    await look(page, 'people-role');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('cell', { name: 'Viewer' }).waitFor();
    await ada.goto(`${server.url}/dashboard/links`);
    await ada.getByRole('button', { name: 'Sign in' }).waitFor();

    await page.getByRole('button', { name: 'More options for Ada Lovelace' }).click();
    await page.getByRole('menuitem', { name: 'Remove' }).click();
    await page.getByText('They created 1 active API key').waitFor();
    await page.getByText('1 webhook created by this member will keep receiving events').waitFor();
    await look(page, 'people-remove');
    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByText('Ada Lovelace removed').waitFor();
    await page.goto(`${server.url}/dashboard/keys`);
    await page.getByText('created by Grace Hopper').waitFor();
    // The status 400 is expected, because the test requests an invalid address.
    assert.deepEqual(
      complaints.filter((one) => !one.includes('status of 400')),
      [],
    );
    await close();
  });

  test('shows a viewer no forbidden actions, on a phone and in dark mode', async () => {
    const { key } = await server.newKey();
    const viewer = await newMember(server, as(server, key), 'viewer', 'Only looking');
    const phone = { viewport: { width: 360, height: 740 }, colorScheme: 'dark' } as const;
    const { page, close, complaints } = await openAs(viewer, '/settings', phone);
    await page.getByText('Only looking · Viewer').waitFor();
    await look(page, 'people-viewer-settings');
    assert.equal(await page.getByRole('link', { name: 'Members' }).count(), 0);
    await page.goto(`${server.url}/dashboard/people`);
    await page.getByText('Only owners and admins can view members.').first().waitFor();
    assert.deepEqual(complaints, []);
    await close();
    const owner = await newMember(server, as(server, key), 'owner', 'Grace Hopper');
    const dark = await openAs(owner, '/people', phone);
    await dark.page.getByText('you', { exact: true }).waitFor();
    await look(dark.page, 'people-phone-dark');
    await dark.close();
  });

  test('shows whether invitation and sign-in emails were sent', async () => {
    const mail = await openMailServer();
    const SMTP_URL = `smtp://127.0.0.1:${mail.port}`;
    const sending = await startServer({ SMTP_URL, MAIL_FROM: 'links@example.com' });
    try {
      const { key } = await sending.newKey();
      const phone = { viewport: { width: 390, height: 844 }, colorScheme: 'dark', locale: 'de-DE' } as const;
      const { page, close, complaints } = await openDashboard(browser, sending, key, phone);
      const invite = async (email: string) => {
        await page.goto('/dashboard/people');
        await page.getByRole('button', { name: 'Mitglied einladen' }).first().click();
        await page.getByText('Die Einladung wird auch an diese Adresse gesendet.').waitFor();
        await page.getByLabel('E-Mail').fill(email);
        await page.keyboard.press('Control+Enter');
      };
      await invite('ada@example.com');
      await page.getByText('An ada@example.com gesendet.').waitFor();
      await look(page, 'people-mailed');
      const letter = mail.received.at(-1);
      assert.match(letter?.text ?? '', /^Sie wurden eingeladen/);
      mail.state = 'refusing';
      await invite('lin@example.com');
      await page.getByText('Die E-Mail konnte nicht gesendet werden.').waitFor();
      await look(page, 'people-not-mailed');
      mail.state = 'up';

      const ada = await stranger(/https?:\S+/.exec(letter?.text ?? '')?.[0] ?? '');
      await ada.getByLabel('Your name').fill('Ada Lovelace');
      await ada.keyboard.press('Enter');
      await ada.waitForURL(`${sending.url}/dashboard`);
      await page.goto('/dashboard/people');
      await page.getByRole('button', { name: 'Ada Lovelace' }).click();
      await page.getByRole('menuitem', { name: 'Anmeldelink per E-Mail senden' }).click();
      await page.getByText('An ada@example.com gesendet.').waitFor();
      await look(page, 'people-link-mailed');
      assert.match(mail.received.at(-1)?.html ?? '', /Anmelden/);
      assert.deepEqual(complaints, []);
      await close();
    } finally {
      await sending.stop();
      await mail.close();
    }
  });
});
