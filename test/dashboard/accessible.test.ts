// Checks every screen in every state, in both themes and three widths, for axe violations and overflow, and checks that
// Tab moves back to the start. By default, each state is shown in a wide and a narrow window, and axe runs in one of
// them. LINKFOLD_COUNT=6 checks each theme in each width with axe.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { whyNoBrowser } from '../support/http/browser.ts';
import { showScreen, siteForTests } from '../support/http/dashboard.ts';
import { effort } from '../support/random/random.ts';
import { allLooks, faultsInLooks, someLooks } from './looks.ts';
import { awaited, empty, fill, filled, refusable, type State, visited } from './states.ts';

const usualLooks = 2;
const looks = effort(usualLooks).count > usualLooks ? allLooks : someLooks;
let turn = 0;

/** Returns the current page's faults. Each string starts with the label `what`. */
async function faultsNow(page: Page, what: string): Promise<string[]> {
  turn += 1;
  return (await faultsInLooks(page, looks(turn))).map((fault) => `${what}, ${fault}`);
}

/** Shows each state without reloading the page, and collects faults. */
async function faultsOf(page: Page, states: readonly State[]): Promise<string[]> {
  const faults: string[] = [];
  for (const { path, there, act } of states) {
    await page.setViewportSize({ width: 1280, height: 800 });
    // Dialogs and menus without a URL would stay open on the next screen. Escape closes an open list first, then its
    // dialog.
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await showScreen(page, '/dashboard/nowhere');
    await page.locator('.state-page').waitFor();
    await showScreen(page, `/dashboard${path}`);
    try {
      await act?.(page);
      await page.locator(there).filter({ visible: true }).first().waitFor();
      faults.push(...(await faultsNow(page, `${path} with ${there}`)));
    } catch (error) {
      faults.push(`${path} with ${there} is not to be seen: ${String(error).split('\n', 1)}`);
    }
  }
  return faults;
}

describe('every state of every screen is accessible and fits', { skip: whyNoBrowser() ?? false }, () => {
  const site = siteForTests();

  test('of an account with all kinds of data, for its readers and visitors', async () => {
    const key = await site.server.newKey();
    const [shared, locked] = await fill(site.server, key);
    const { page, complaints, close } = await site.open({ key });
    await page.addInitScript(
      `localStorage['linkfold.visit'] ??= JSON.stringify({ before: null, seenAt: ${Date.now() - 72_000_000} })`,
    );
    await page.goto('/dashboard/settings');
    const faults = await faultsOf(page, filled);
    for (const path of [shared, '/dashboard/shared/nothing', ...visited]) {
      await page.goto(path);
      if (path.startsWith('/dashboard')) await page.locator('.bar-row, .state-page').first().waitFor();
      faults.push(...(await faultsNow(page, path)));
    }
    await page.goto(locked);
    await page.getByLabel('Password').fill('open sesame');
    faults.push(...(await faultsNow(page, 'statistics with a password')));
    await page.keyboard.press('Enter');
    await page.locator('.bar-row, .compare').first().waitFor();
    faults.push(...(await faultsNow(page, 'shared statistics of a folder')));
    await page.goto('/locked');
    await page.getByLabel('Password').fill('wrong');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
    faults.push(...(await faultsNow(page, 'a wrong password')));
    // Many requests fail on purpose, and the browser logs each. No other messages are expected.
    faults.push(...complaints.filter((one) => !/status of 4\d\d/.test(one)));
    assert.deepEqual(faults, []);
    await close();
  });

  test('of an empty account, for pending responses and ending sessions', async () => {
    const { page, api, id, close } = await site.open({ path: '/dashboard/settings' });
    const isThere = () => page.locator('.branding').waitFor();
    await isThere();
    const faults = await faultsOf(page, empty);
    const answers = '**/api/v1/**';
    await page.route(answers, () => {});
    faults.push(...(await faultsOf(page, awaited)));
    await page.unroute(answers);
    await page.route(answers, (route) => route.abort());
    faults.push(...(await faultsOf(page, refusable)));
    await page.unroute(answers);
    await page.goto('/dashboard/settings');
    await isThere();
    await api.delete(`/api/v1/keys/${id}`);
    await showScreen(page, '/dashboard/bin');
    await page.getByRole('heading', { name: 'Your session has expired' }).waitFor();
    faults.push(...(await faultsNow(page, 'a session that ended')));
    await page.goto('/dashboard/login');
    await page.getByLabel('API key').fill('lfk_nonsense');
    await page.keyboard.press('Enter');
    await page.getByText('This API key is not valid.').waitFor();
    faults.push(...(await faultsNow(page, 'a wrong key')));
    assert.deepEqual(faults, []);
    await close();
  });
});
