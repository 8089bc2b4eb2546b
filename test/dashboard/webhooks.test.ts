import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { openBrowser, whyNoBrowser } from '../support/http/browser.ts';
import { openDashboard, scrollsSideways, violationsOn } from '../support/http/dashboard.ts';
import { makeLink } from '../support/server/records.ts';
import { as, type Server, startServer } from '../support/server/server.ts';

/** Folder for screenshots. No screenshots are taken if it is undefined. */
const pictures = process.env['LINKFOLD_PICTURES'];

describe('webhooks in the dashboard', { skip: whyNoBrowser() ?? false }, () => {
  let server: Server;
  let browser: Browser;
  let status = 204;
  const receiver = createServer((request, response) => {
    request.resume();
    response.writeHead(status).end(status === 204 ? undefined : 'The shop is closed.');
  });
  before(async () => {
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    [server, browser] = await Promise.all([startServer({ OUTBOUND_ALLOW: '127.0.0.1' }), openBrowser()]);
  });
  after(async () => {
    await browser.close();
    await server.stop();
    receiver.closeAllConnections();
    receiver.close();
  });

  const look = async (page: Page, name: string) => {
    assert.deepEqual(await violationsOn(page, { isOfTop: true }), [], name);
    assert.equal(await scrollsSideways(page), false, name);
    if (pictures !== undefined) await page.screenshot({ path: `${pictures}/${name}.png` });
  };

  for (const [name, options] of [
    ['wide-light', { viewport: { width: 1280, height: 900 }, colorScheme: 'light' }],
    ['phone-dark', { viewport: { width: 390, height: 844 }, colorScheme: 'dark' }],
  ] as const)
    test(`adds a webhook, shows its secret once, tests, resends, rotates, deletes: ${name}`, async () => {
      status = 204;
      const { key } = await server.newKey();
      const api = as(server, key);
      const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/linkfold`;
      const { page, close, complaints } = await openDashboard(browser, server, key, options);
      await page.goto('/dashboard/webhooks');
      await page.getByText('No webhooks yet').waitFor();
      await page.getByRole('button', { name: 'Add webhook' }).first().click();
      await page.getByRole('dialog').getByRole('button', { name: 'Add webhook' }).click();
      await page.getByText('Enter an endpoint URL.').waitFor();
      await page.getByLabel('URL').fill(url);
      await page.getByLabel('Description').fill('Inventory');
      await look(page, `webhooks-new-${name}`);
      await page.getByRole('dialog').getByRole('button', { name: 'Add webhook' }).click();
      const secret = page.getByText(/^whsec_/);
      await secret.waitFor();
      const first = await secret.textContent();
      await look(page, `webhooks-secret-${name}`);
      await page.getByRole('button', { name: 'Done' }).click();
      await page.getByText('No deliveries yet.').waitFor();

      await page.getByRole('button', { name: 'Send test event' }).click();
      await page.getByText('Delivered, 1 attempt').waitFor();
      status = 503;
      await makeLink(api, { title: 'Spring' });
      await page.getByRole('button', { name: 'Send test event' }).click();
      const failed = page.locator('summary', { hasText: 'link.created' });
      await failed.getByText('Pending, 1 attempt').waitFor();
      await failed.click();
      // The failed test event is listed above or below this event.
      const open = page.locator('details', { has: failed });
      await open.getByText('The shop is closed.').waitFor();
      await page.getByText('Failing (first failed').waitFor();
      await look(page, `webhooks-one-${name}`);
      status = 204;
      await open.getByRole('button', { name: 'Resend' }).click();
      await failed.getByText('Delivered, 1 attempt').waitFor();
      await page.getByRole('button', { name: 'Replay events' }).click();
      await page.getByRole('radio', { name: 'All' }).check();
      await page.getByText('Also resends delivered events').waitFor();
      await look(page, `webhooks-replay-${name}`);
      await page.getByRole('radio', { name: 'Undelivered only' }).check();
      await page.getByRole('dialog').getByRole('button', { name: 'Replay events' }).click();
      await page.getByText('Pending').waitFor({ state: 'detached' });

      await page.getByRole('button', { name: 'More options for 127.0.0.1' }).click();
      await page.getByRole('menuitem', { name: 'Rotate secret' }).click();
      await page.getByRole('button', { name: 'Rotate secret' }).click();
      await secret.waitFor();
      assert.notEqual(await secret.textContent(), first);
      await page.getByRole('button', { name: 'Done' }).click();
      await page.getByRole('button', { name: 'Edit' }).click();
      await page.getByLabel('active').check();
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Domains: active').waitFor();
      await page.getByRole('button', { name: 'More options for 127.0.0.1' }).click();
      await page.getByRole('menuitem', { name: 'Disable' }).click();
      await page.locator('dl').getByText('Disabled', { exact: true }).waitFor();
      await page.goto('/dashboard/webhooks');
      await page.getByText('Inventory').waitFor();
      await look(page, `webhooks-${name}`);
      await page.getByRole('link', { name: '127.0.0.1' }).click();
      await page.getByRole('button', { name: 'More options for 127.0.0.1' }).click();
      await page.getByRole('menuitem', { name: 'Delete' }).click();
      await page.getByRole('button', { name: 'Delete' }).click();
      await page.getByText('No webhooks yet').waitFor();
      assert.deepEqual((await api.get('/api/v1/webhooks')).json.data, []);
      assert.deepEqual(complaints, []);
      await close();
    });
});
