import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { whyNoBrowser } from '../support/http/browser.ts';
import { siteOfItsOwn } from '../support/http/dashboard.ts';
import { ofDomain, pictured, requireDrawn, wordsOn, wordsPath } from '../support/http/pictured.ts';
import { makeLink } from '../support/server/records.ts';
import { until } from '../support/until.ts';

describe('the README images', { skip: whyNoBrowser() ?? false }, () => {
  const site = siteOfItsOwn();

  test('match the screens; otherwise run: npm run screenshots', async () => {
    const kept = JSON.parse(readFileSync(join(import.meta.dirname, '..', '..', wordsPath), 'utf8'));
    assert.deepEqual(Object.keys(kept), [...pictured.map(({ name }) => name), 'domain']);
    const { page, api, close } = await site.open({ viewport: { width: 1280, height: 800 } });
    await makeLink(api, { customCode: 'winter', title: 'Winter rides' });
    const untilSaid = async (name: string, places?: string) => {
      let said: string[] = [];
      await until(
        `${name} says: ${kept[name].join(', ')}`,
        async () => {
          said = await wordsOn(page, places);
          return JSON.stringify(said) === JSON.stringify(kept[name]);
        },
        { withinMs: 5_000, everyMs: 200 },
      ).catch(() => assert.deepEqual(said, kept[name], name));
    };
    for (const { name, path, drawn } of pictured) {
      await page.goto(path);
      await untilSaid(name);
      // The screenshot script fails if a sparkline of clicks is not drawn.
      if (name !== 'links') continue;
      await page.locator('.row').first().waitFor();
      await assert.rejects(requireDrawn(page, drawn), /Nothing is drawn/);
      await assert.rejects(requireDrawn(page, '.row'), /No sparkline is drawn in 1 rows/);
    }
    // This server listens on a loopback address, which a domain's DNS records must not contain, so the screenshots show
    // a public address.
    await page.route(/\/api\/v1\/domains/, async (route) => {
      const response = await route.fetch();
      const json = await response.json();
      for (const { records } of [json.data].flat())
        for (const record of records ?? []) delete record.reachable;
      await route.fulfill({ response, json });
    });
    const { json } = await api.post('/api/v1/domains', { host: 'go.winter-rides.example' });
    await page.goto(`/dashboard/domains/${json.data.id}`);
    await untilSaid('domain', ofDomain);
    await close();
  });
});
