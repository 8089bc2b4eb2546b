import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { openBrowser, whyNoBrowser } from '../support/http/browser.ts';
import { openDashboard, scrollsSideways, violationsOn } from '../support/http/dashboard.ts';
import { ageSessions } from '../support/server/aged.ts';
import { newMember, signedInByOperator } from '../support/server/members.ts';
import { makeLink } from '../support/server/records.ts';
import { as, call, type Server, startServer } from '../support/server/server.ts';

/** Folder for screenshots. No screenshots are taken if it is undefined. */
const pictures = process.env['LINKFOLD_PICTURES'];

describe('the operator screen', { skip: whyNoBrowser() ?? false }, () => {
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
  /** Opens a browser window that is signed in with an operator's link. */
  const openAs = async (account: string, id: string, path: string, options: BrowserContextOptions) => {
    const { cookie } = await signedInByOperator(server, account, id);
    const [name = '', value = ''] = cookie.split('=');
    const screen = await openDashboard(browser, server, (await server.newKey()).key, options);
    await screen.page.context().addCookies([{ name, value, url: server.url }]);
    await screen.page.goto(`/dashboard${path}`);
    return screen;
  };

  for (const [name, options] of [
    ['wide-light', { viewport: { width: 1280, height: 900 }, colorScheme: 'light' }],
    ['phone-dark', { viewport: { width: 390, height: 844 }, colorScheme: 'dark' }],
    ['phone-german', { viewport: { width: 390, height: 844 }, colorScheme: 'light', locale: 'de-DE' }],
  ] as const)
    test(`finds, suspends after a warning about its links, and resumes an account: ${name}`, async () => {
      const isGerman = name === 'phone-german';
      const word = (en: string, de: string) => (isGerman ? de : en);
      const home = await server.newKey();
      const person = await newMember(server, as(server, home.key), 'admin', 'Opal Operator');
      await server.command('operators', 'add', person.id);
      const target = `Acme ${name}`;
      const { key } = await server.newKey({ account: target });
      await makeLink(as(server, key));
      const { page, close, complaints } = await openAs(home.account, person.id, '/settings', options);
      await page.getByRole('link', { name: word('View all accounts', 'Alle Konten ansehen') }).click();
      await page.getByRole('heading', { name: word('All accounts', 'Alle Konten') }).waitFor();
      await page.getByText(target).waitFor();
      await look(page, `operator-accounts-${name}`);
      await page.getByRole('searchbox').fill('nobody');
      await page.getByText(word('No accounts found', 'Keine Konten gefunden')).waitFor();
      await page.getByRole('searchbox').fill(target.toUpperCase());
      await page.getByRole('button', { name: `${word('Suspend', 'Sperren')}: ${target}` }).click();
      await page
        .getByText(word('Its short links keep redirecting', 'Die Kurzlinks funktionieren weiterhin'))
        .waitFor();
      await look(page, `operator-suspend-${name}`);
      await page.getByRole('button', { name: word('Suspend', 'Sperren'), exact: true }).click();
      await page.getByText(word(`${target} suspended`, `${target} gesperrt`)).waitFor();
      assert.equal((await call(server, 'GET', '/api/v1/links', { key })).status, 403);
      await look(page, `operator-suspended-${name}`);
      await page.getByRole('button', { name: `${word('Resume', 'Entsperren')}: ${target}` }).click();
      await page.getByRole('button', { name: word('Resume', 'Entsperren'), exact: true }).click();
      await page.getByText(word(`${target} resumed`, `${target} entsperrt`)).waitFor();
      assert.equal((await call(server, 'GET', '/api/v1/links', { key })).status, 200);
      assert.deepEqual(complaints, []);

      // In an older session, the operator must confirm their identity again.
      await ageSessions(server);
      await page.getByRole('button', { name: `${word('Suspend', 'Sperren')}: ${target}` }).click();
      await page.getByRole('button', { name: word('Suspend', 'Sperren'), exact: true }).click();
      await page.getByText(word('Confirm it’s you', 'Bestätigen Sie Ihre Identität')).waitFor();
      await close();
    });

  test('hides everything from an owner who is not an operator', async () => {
    const { key, account } = await server.newKey();
    const owner = await newMember(server, as(server, key), 'owner');
    const { page, close, complaints } = await openAs(account, owner.id, '/settings', {});
    await page.getByText('The owner · Owner').waitFor();
    assert.equal(await page.getByRole('link', { name: 'View all accounts' }).count(), 0);
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search or jump to' }).fill('accounts');
    assert.equal(await page.getByText('All accounts').count(), 0);
    await page.goto('/dashboard/operator');
    await page.getByText('Page not found').waitFor();
    assert.deepEqual(complaints, []);
    await close();
  });
});
