import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { whyNoBrowser } from '../support/http/browser.ts';
import { siteForTests } from '../support/http/dashboard.ts';
import { until } from '../support/until.ts';

interface Use {
  readonly name: string;
  readonly path: string;
  /** Opens the part of the screen that contains the field, and focuses the field. */
  readonly open: (page: Page) => Promise<unknown>;
  /** The field's accessible name. */
  readonly field: RegExp;
  readonly typed: string;
  /** The first option that matches. */
  readonly first: RegExp;
  /** Resolves once the page shows the selected option. */
  readonly taken: (page: Page) => Promise<unknown>;
  /** The last option for input without a match. */
  readonly creates?: RegExp;
  readonly isPopover?: true;
}

const press =
  (...keys: string[]) =>
  async (page: Page) => {
    for (const key of keys) await page.keyboard.press(key);
  };

/** Opens one of a screen's filters, using the keyboard. */
const filterBy = (name: string) => async (page: Page) => {
  await page.getByRole('button', { name: /^Filter/ }).waitFor();
  await page.keyboard.press('f');
  await page.getByRole('combobox', { name: 'Filter' }).waitFor();
  await page.keyboard.type(name);
  await page.keyboard.press('Enter');
  await page.getByRole('combobox', { name }).waitFor();
};

const rowSelected = async (page: Page, key: string) => {
  await page.locator('.row').first().waitFor();
  await press('j', 'x', key)(page);
};

const chip = (text: string) => (page: Page) => page.locator('.chip', { hasText: text }).last().waitFor();
const value = (text: string) => (page: Page) =>
  until(
    `the field says ${text}`,
    async () => (await page.locator('[role=combobox]:focus').inputValue()) === text,
  );

const uses: readonly Use[] = [
  {
    name: 'folder',
    path: '/links?q=filed',
    open: (page) => rowSelected(page, 'm'),
    field: /^Folder/,
    typed: 'pos',
    first: /^Postcards/,
    taken: value('Postcards'),
    creates: /New folder “zebra”/,
  },
  {
    name: 'tags',
    path: '/links?q=filed',
    open: (page) => rowSelected(page, 't'),
    field: /^Tags/,
    typed: 'post',
    first: /^poster/,
    taken: chip('poster'),
    creates: /Add “zebra”/,
  },
  {
    name: 'UTM source',
    path: '/links?new',
    open: async (page) => {
      await page.getByRole('button', { name: /^UTM/ }).click();
    },
    field: /^Source/,
    typed: 'newsl',
    first: /^newsletter/,
    taken: value('newsletter'),
    creates: /Use “zebra”/,
  },
  {
    name: 'country',
    path: '/links?new',
    open: async (page) => {
      await page.getByRole('button', { name: /^Rules/ }).click();
      await page.getByRole('button', { name: 'Add rule' }).click();
    },
    field: /^Country/,
    typed: 'austri',
    first: /^Austria/,
    taken: chip('Austria'),
  },
  {
    name: 'folders of a key',
    path: '/keys?key',
    open: (page) => page.getByRole('combobox', { name: /^Limit to folders/ }).focus(),
    field: /^Limit to folders/,
    typed: 'pos',
    first: /^Postcards/,
    taken: chip('Postcards'),
  },
  {
    name: 'scope of statistics',
    path: '/statistics',
    open: (page) => page.getByRole('button', { name: 'All links' }).click(),
    field: /^Links/,
    typed: 'pos',
    first: /^Postcards/,
    taken: (page) => page.getByRole('button', { name: 'Postcards' }).waitFor(),
    isPopover: true,
  },
  {
    name: 'filter of statistics',
    path: '/statistics',
    open: filterBy('Referrer'),
    field: /^Referrer/,
    typed: 'zeb',
    first: /contains “zeb”/,
    taken: chip('Referrer contains zeb'),
    creates: /contains “zebra”/,
    isPopover: true,
  },
  ...(['Folder', 'Tag'] as const).map(
    (name): Use => ({
      name: `filter of links: ${name}`,
      path: '/links',
      open: filterBy(name),
      field: new RegExp(`^${name}`),
      typed: 'pos',
      first: name === 'Folder' ? /^Postcards/ : /^post-office/,
      taken: chip(name === 'Folder' ? 'Postcards' : 'post-office'),
      isPopover: true,
    }),
  ),
  {
    name: 'filter of links: destination',
    path: '/links',
    open: filterBy('Destination'),
    field: /^Destination/,
    typed: 'zeb',
    first: /Use “zeb”/,
    taken: chip('zeb'),
    creates: /Use “zebra”/,
    isPopover: true,
  },
];

describe('comboboxes', { skip: whyNoBrowser() ?? false }, () => {
  const site = siteForTests();

  test('open at once, prefer the first match, and accept it with Enter without submitting the form', async (t) => {
    const { page, api, close } = await site.open();
    const made = async (name: string) => (await api.post('/api/v1/folders', { name })).json.folder;
    await made('Postcards');
    await made('Posters');
    const { id: folderId } = await made('Press');
    const many = Array.from({ length: 150 }, (_, at) => `tag-${at}`);
    for (let at = 0; at < many.length; at += 10)
      await api.post('/api/v1/shorten', { url: 'https://example.com/', tags: many.slice(at, at + 10) });
    for (const [tags, source] of [
      [['poster', 'post-office'], 'newsletter'],
      [['poster'], 'news'],
    ] as const)
      await api.post('/api/v1/shorten', {
        url: `https://example.com/?utm_source=${source}`,
        title: 'filed',
        folderId,
        tags,
      });
    for (const use of uses)
      await t.test(use.name, async () => {
        page.setDefaultTimeout(8_000);
        await page.goto('about:blank');
        await page.goto(`/dashboard${use.path}`);
        await use.open(page);
        const field = page.getByRole('combobox', { name: use.field });
        const options = page.getByRole('option').filter({ visible: true });
        const active = page.locator('[role=option][aria-selected=true]').filter({ visible: true });
        await page.locator('[role=combobox][aria-expanded=true]:focus').waitFor();

        await page.keyboard.type('zebra');
        if (use.creates !== undefined) assert.match(await options.last().innerText(), use.creates);
        else
          await page
            .getByText('No results for “zebra”')
            .or(page.locator('[role=combobox]:focus'))
            .first()
            .waitFor();
        await page.keyboard.press('ControlOrMeta+a');
        await page.keyboard.type(use.typed);
        assert.match(await active.innerText(), use.first);
        const id = await active.getAttribute('id');
        assert.equal(await field.getAttribute('aria-activedescendant'), id);
        if ((await options.count()) > 1) {
          await page.keyboard.press('ArrowDown');
          await page.locator(`[id="${id}"][aria-selected=false]`).waitFor();
          await page.keyboard.press('ArrowUp');
          await page.locator(`[id="${id}"][aria-selected=true]`).waitFor();
        }
        if (use.isPopover === undefined) {
          await page.keyboard.press('Escape');
          await options.first().waitFor({ state: 'detached' });
          assert.equal(await page.locator('dialog').count(), 1, 'and nothing else');
          await page.keyboard.press('ArrowDown');
        }
        await page.keyboard.press('Enter');
        if (use.isPopover === undefined) {
          assert.equal(await page.locator('dialog').count(), 1, 'the form is not sent');
          await use.taken(page);
          await page.keyboard.press('Enter');
          assert.equal(await page.locator('dialog').count(), 1, 'nor by a second Enter');
        }
        await use.taken(page);
      });
    await close();
  });

  test('stays open if it is reopened right after it was closed', async () => {
    const { page, close } = await site.open({ path: '/dashboard/links?new' });
    await page.getByRole('button', { name: /^UTM/ }).click();
    await page.getByRole('combobox', { name: /^Source/ }).focus();
    await page.keyboard.type('n');
    await page.locator('[role=combobox][aria-expanded=true]:focus').waitFor();
    // Preact renders in a microtask. The browser's toggle event follows in a task of its own.
    const states = await page.evaluate(`(async () => {
      const field = document.activeElement;
      const press = async (key) => {
        field.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
        for (let turn = 0; turn < 5; turn++) await Promise.resolve();
        return field.getAttribute('aria-expanded');
      };
      const pressed = [await press('Escape'), await press('ArrowDown')];
      await new Promise((done) => setTimeout(done, 200));
      return [...pressed, field.getAttribute('aria-expanded')];
    })()`);
    assert.deepEqual(states, ['false', 'true', 'true']);
    await close();
  });
});
