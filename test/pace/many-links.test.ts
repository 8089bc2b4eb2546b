// The dashboard with an account of 50,000 links: no scrolling, selecting or change of all of them occupies the page for long, so
// that keys and pointer are answered meanwhile. LINKFOLD_COUNT is the number of links.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { CDPSession } from 'playwright-core';
import { whyNoBrowser } from '../support/http/browser.ts';
import { siteForTests } from '../support/http/dashboard.ts';
import { effort } from '../support/random/random.ts';
import type { Api } from '../support/server/records.ts';

const { count } = effort(50_000);
/** What a browser calls a long task, ms. */
const longestMs = 50;
const patience = { timeout: 600_000 };
const categories = ['disabled-by-default-devtools.timeline', 'toplevel', '__metadata'];

/** What a browser tells of its threads while it is traced. */
interface Told {
  readonly name: string;
  readonly tid: number;
  /** When it began and how long it took, µs. */
  readonly ts: number;
  readonly dur?: number;
  /** Processor time, µs: with other programs beside it a task takes longer without doing more. */
  readonly tdur?: number;
  readonly args?: { readonly name?: string; readonly src_file?: string };
}

/**
 * Whether a task is the browser's own, which destroys what the page has let go of when there is time: on a busy machine it does
 * there what other threads did not come to.
 */
function isSweeping(task: Told, told: readonly Told[]): boolean {
  const end = task.ts + (task.dur ?? 0);
  return told.some(
    ({ tid, ts, args }) =>
      args?.src_file?.startsWith('v8/src/heap/') && tid === task.tid && ts >= task.ts && ts <= end,
  );
}

/** How long the tasks of the page took while something was done, ms of processor time, the longest first. */
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
      const said = `${what}: ${longest.toFixed(0)} ms the longest of ${others.length + 1} tasks in ${seconds} s`;
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
    await measure('a tag for all of them', async () => {
      await press('t')();
      await page.getByRole('dialog').getByRole('combobox').fill('everywhere');
      await press('Enter', 'Control+Enter')();
      await untilSaid(allOf('links tagged'));
    });
    await measure('undone', async () => {
      await press('z')();
      await untilSaid(/Undone/);
    });
    await press('Control+a', 'Control+a')();
    await measure('deleting all of them', async () => {
      await press('Backspace')();
      await untilSaid(allOf('links moved to the bin'));
    });
    await measure('undone, too', async () => {
      await press('z')();
      await untilSaid(allOf('links restored'));
    });
    assert.deepEqual(tooLong, []);
    await close();
  });
});
