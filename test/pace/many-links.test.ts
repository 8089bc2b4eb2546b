// The dashboard with 50,000 links: scrolling, selecting and changing them never block the page for long. LINKFOLD_COUNT
// is the number of links.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { CDPSession } from 'playwright-core';
import { whyNoBrowser } from '../support/http/browser.ts';
import { siteForTests } from '../support/http/dashboard.ts';
import { effort } from '../support/random/random.ts';
import type { Api } from '../support/server/records.ts';

const { count } = effort(50_000);
/** Maximum duration of a task in ms. Browsers report longer tasks as long tasks. */
const longestMs = 50;
const patience = { timeout: 600_000 };
const categories = ['disabled-by-default-devtools.timeline', 'toplevel', '__metadata'];

/** A browser trace event. */
interface Told {
  readonly name: string;
  readonly tid: number;
  /** Start and duration in µs. */
  readonly ts: number;
  readonly dur?: number;
  /** CPU time in µs. Unlike the duration, it does not depend on other programs. */
  readonly tdur?: number;
  readonly args?: { readonly name?: string; readonly src_file?: string };
}

/** Returns true for the browser's own cleanup tasks, which run on the page's thread if the machine is busy. */
function isSweeping(task: Told, told: readonly Told[]): boolean {
  const end = task.ts + (task.dur ?? 0);
  return told.some(
    ({ tid, ts, args }) =>
      args?.src_file?.startsWith('v8/src/heap/') && tid === task.tid && ts >= task.ts && ts <= end,
  );
}

/** Returns the CPU times of the page's tasks during an action, in ms, longest first. */
async function tasksOf(devtools: CDPSession, work: () => Promise<unknown>): Promise<number[]> {
  const told: Told[] = [];
  const note = ({ value }: { value: unknown[] }) => told.push(...(value as Told[]));
  devtools.on('Tracing.dataCollected', note);
  const ended = new Promise((resolve) => devtools.once('Tracing.tracingComplete', resolve));
  const traceConfig = { includedCategories: categories };
  await devtools.send('Tracing.start', { transferMode: 'ReportEvents', traceConfig });
  await work();
  await devtools.send('Tracing.end');
  await ended;
  devtools.off('Tracing.dataCollected', note);
  const threads = told.filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain');
  return told
    .filter(({ name, tid }) => name === 'RunTask' && threads.some((thread) => thread.tid === tid))
    .filter((task) => (task.tdur ?? 0) < longestMs * 1_000 || !isSweeping(task, told))
    .map(({ tdur = 0 }) => tdur / 1_000)
    .sort((a, b) => b - a);
}

async function makeMany(api: Api): Promise<void> {
  for (let at = 0; at < count; at += 1_000) {
    const links = Array.from({ length: Math.min(1_000, count - at) }, (_, row) => ({
      url: `https://example.com/products/${at + row}`,
      title: `Product ${at + row}`,
      tags: [`shelf-${(at + row) % 7}`],
    }));
    assert.equal((await api.post('/api/v1/links/bulk', { action: 'create', links })).status, 200);
  }
}

describe(`${count} links in the dashboard`, { skip: whyNoBrowser() ?? false }, () => {
  const site = siteForTests();

  test(`run no task of ${longestMs} ms`, patience, async (t) => {
    const { page, api, close } = await site.open();
    await makeMany(api);
    const devtools = await page.context().newCDPSession(page);
    const tooLong: string[] = [];
    const measure = async (what: string, work: () => Promise<unknown>) => {
      const begun = performance.now();
      const [longest = 0, ...others] = await tasksOf(devtools, work);
      const seconds = ((performance.now() - begun) / 1_000).toFixed(1);
      const said = `${what}: longest of ${others.length + 1} tasks ${longest.toFixed(0)} ms, all in ${seconds} s`;
      t.diagnostic(said);
      if (longest >= longestMs) tooLong.push(said);
    };
    const press =
      (...keys: readonly string[]) =>
      async () => {
        for (const key of keys) await page.keyboard.press(key);
      };
    const allOf = (text: string) => new RegExp(`${count.toLocaleString('en')} ${text}`);
    const untilSaid = async (text: RegExp) => {
      await page.getByText(new RegExp(`${text.source}|could not be changed`)).waitFor(patience);
      assert.match((await page.locator('[role=status]').allInnerTexts()).join(' '), text);
    };
    const first = page.locator('.row').first();

    await measure('opening', async () => {
      await page.goto('/dashboard/links');
      await first.waitFor();
    });
    await measure('scrolling to the end, which loads every row', async () => {
      const scrolling = await page.evaluate('setInterval(() => scrollTo(0, 1e9), 20)');
      await page.locator(`.row[aria-rowindex="${count + 1}"]`).waitFor(patience);
      await page.evaluate(`clearInterval(${scrolling})`);
    });
    await measure('scrolling back, by leaps and by the wheel', async () => {
      for (let at = 10; at >= 0; at -= 1) {
        await page.evaluate(`scrollTo(0, document.documentElement.scrollHeight * ${at / 10})`);
        await page.waitForTimeout(50);
      }
      await page.mouse.move(700, 500);
      for (let turns = 0; turns < 20; turns += 1) await page.mouse.wheel(0, 700);
      await page.evaluate('scrollTo(0, 0)');
    });
    await first.focus();
    const down = Array.from({ length: 20 }, () => ['j', 'Shift+ArrowDown']).flat();
    await measure('moving and selecting by keys', press(...down, 'Escape'));
    await measure('selecting all', async () => {
      await press('Control+a', 'Control+a')();
      await untilSaid(allOf('selected'));
    });
    await measure('tagging all of them', async () => {
      await press('t')();
      await page.getByRole('dialog').getByRole('combobox').fill('everywhere');
      await press('Enter', 'Control+Enter')();
      await untilSaid(allOf('links tagged'));
    });
    await measure('undoing the tag', async () => {
      await press('z')();
      await untilSaid(/Undone/);
    });
    await press('Control+a', 'Control+a')();
    await measure('deleting all of them', async () => {
      await press('Backspace')();
      await untilSaid(allOf('links moved to the bin'));
    });
    await measure('undoing the deletion', async () => {
      await press('z')();
      await untilSaid(allOf('links restored'));
    });
    assert.deepEqual(tooLong, []);
    await close();
  });
});
