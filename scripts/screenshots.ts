// Takes the README screenshots: applies two months of clicks in the same way as a node, and renders the dashboard in a
// real browser. `npm run screenshots` writes docs/images. The visible text is stored next to the images, so that a test
// can detect outdated images.
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { browsers, devices, systems } from '../src/clicks/dimensions/agents.ts';
import { countries } from '../src/clicks/dimensions/countries.ts';
import { languages } from '../src/clicks/dimensions/languages.ts';
import { referrerKinds } from '../src/clicks/dimensions/referrer-hosts.ts';
import { type Client, createClient } from '../src/client/client.ts';
import { createClickCollector } from '../src/model/clicks/click-collector.ts';
import { unknownFacts } from '../src/model/clicks/click-facts.ts';
import { hourOf } from '../src/model/clicks/clicks.ts';
import { openStorage } from '../src/storage/open.ts';
import { startDns } from '../test/support/dns/dns-server.ts';
import { openBrowser } from '../test/support/http/browser.ts';
import { openDashboard } from '../test/support/http/dashboard.ts';
import {
  ofDomain,
  pictured,
  picturedDomains,
  requireDrawn,
  wordsOn,
  wordsPath,
} from '../test/support/http/pictured.ts';
import { createRandom } from '../test/support/random/random.ts';

const root = join(import.meta.dirname, '..');
const out = join(root, 'docs', 'images');
const dataDir = mkdtempSync(join(tmpdir(), 'linkfold-pictures-'));
const days = 62;
const dach = ['DE', 'DE', 'DE', 'AT', 'CH'];
const msPerDay = 86_400_000;
/** First host name label of the domain in each state. */
const hosts = { pending: 'go', wrong: 'links', active: 'to', failing: 'old' } as const;

const links = [
  ['winter', 'Winter rides', 'https://example.com/rides/winter', 'Winter', ['poster', 'mail']],
  ['spring', 'Spring launch', 'https://example.com/spring?utm_source=poster', 'Winter', ['poster']],
  ['jobs', 'Mechanics wanted', 'https://example.com/jobs/mechanics', undefined, ['print']],
  ['news46', 'Newsletter 46', 'https://example.com/news/46?utm_medium=mail', 'Newsletter', ['mail']],
  ['news47', 'Newsletter 47', 'https://example.com/news/47?utm_medium=mail', 'Newsletter', ['mail']],
  ['menu', 'Lunch menu', 'https://example.com/canteen/this-week', undefined, ['qr']],
  ['map', 'Where to find us', 'https://maps.example.com/?q=12+Dock+Street', undefined, ['poster', 'qr']],
  ['repair', 'Book a repair', 'https://example.com/workshop/book', undefined, []],
  ['press', 'Press kit 2026', 'https://example.com/press/kit-2026.zip', undefined, ['print']],
  ['talk', 'Slides of the talk', 'https://slides.example.org/short-links-that-last', undefined, []],
  ['gift', 'Gift vouchers', 'https://shop.example.com/vouchers', 'Winter', ['mail']],
  ['rent', 'Rent a cargo bike', 'https://example.com/rent/cargo', undefined, ['poster']],
] as const;

const program = join(root, 'bin', 'linkfold');
const dns = await startDns();

try {
  const first = await serve();
  const key = readFileSync(join(dataDir, 'first-key.txt'), 'utf8').trim();
  await makeLinks(first.origin, key);
  const brandKey = JSON.parse(
    execFileSync(program, ['keys', 'create', '--account', 'winter-rides', '--json'], {
      env: { ...process.env, DATA_DIR: dataDir },
      encoding: 'utf8',
    }),
  ).key as string;
  const domains = await makeDomains(createClient({ baseUrl: first.origin, apiKey: brandKey }));
  await first.stop();
  failSinceDays(domains.failing, 4);
  await addClicks();
  const second = await serve();
  try {
    const words = {
      ...(await draw(second.origin, key)),
      ...(await drawDomains(second.origin, brandKey, domains)),
    };
    writeFileSync(join(root, wordsPath), `${JSON.stringify(words, null, 2)}\n`);
  } finally {
    await second.stop();
  }
} finally {
  await dns.close();
  rmSync(dataDir, { recursive: true, force: true });
}

/** Starts the server on a free port and waits until it is ready. */
async function serve(): Promise<{ origin: string; stop: () => Promise<void> }> {
  const port = await freePort();
  const child = spawn(program, ['serve'], {
    env: {
      ...process.env,
      DATA_DIR: dataDir,
      PORT: String(port),
      BASE_URL: 'https://go.example.com',
      DNS_SERVERS: dns.address,
      LOG_LEVEL: 'warn',
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const origin = `http://127.0.0.1:${port}`;
  while (
    !(await fetch(`${origin}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    ))
  )
    await new Promise((resolve) => setTimeout(resolve, 100));
  return {
    origin,
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}

async function makeLinks(origin: string, key: string): Promise<void> {
  const client = createClient({ baseUrl: origin, apiKey: key });
  const folders = new Map<string, string>();
  for (const [customCode, title, url, folder, tags] of links.toReversed()) {
    if (folder !== undefined && !folders.has(folder))
      folders.set(folder, (await client.createFolder({ name: folder })).id);
    const folderId = folder === undefined ? null : folders.get(folder);
    await client.shorten({ url, customCode, title, folderId, tags: [...tags] });
  }
}

function numberOf(words: readonly string[], word: string): number {
  return Math.max(0, words.indexOf(word));
}

/** Generates a random visitor. Most are people on phones, from countries that match the links. */
function drawFacts(random: ReturnType<typeof createRandom>) {
  const person = random.below(100);
  const classIndex = person < 81 ? 0 : person < 93 ? 1 : 2;
  const phone = random.below(100) < 62;
  const [os, browser] = phone
    ? random.pick([
        ['ios', 'safari'],
        ['android', 'chrome'],
        ['ios', 'instagram'],
        ['android', 'samsung'],
      ])
    : random.pick([
        ['windows', 'chrome'],
        ['macos', 'safari'],
        ['windows', 'edge'],
        ['linux', 'firefox'],
      ]);
  const [referrer, kind] = random.pick([
    ...[
      ['', ''],
      ['', ''],
      ['google.com', 'search'],
      ['instagram.com', 'social'],
      ['mail.google.com', 'mail'],
    ],
    ...[
      ['news.example.org', 'other'],
      ['bing.com', 'search'],
      ['facebook.com', 'social'],
    ],
  ]);
  return {
    ...unknownFacts(classIndex),
    trigger: random.below(100) < 14 ? 1 : 0,
    country: numberOf(
      countries,
      random.pick([...dach, ...dach, 'DE', 'FR', 'US', 'GB', 'NL', 'IT', 'JP', 'BR']),
    ),
    os: numberOf(systems, os as string),
    browser: numberOf(browsers, browser as string),
    device: numberOf(devices, phone ? 'mobile' : 'desktop'),
    language: numberOf(languages, random.pick(['de', 'de', 'en', 'fr', 'it'])),
    referrer: referrer as string,
    referrerKind: numberOf(referrerKinds, kind as string),
    visitor: 1 + random.below(700),
    utmSource: random.below(3) === 0 ? 'poster' : '',
  };
}

/**
 * Applies clicks on past days. There are more clicks at noon than at night and more on weekdays, and some links get
 * more clicks than others.
 */
async function addClicks(): Promise<void> {
  const path = join(dataDir, 'linkfold.db');
  const database = new DatabaseSync(path);
  const rows = database.prepare('SELECT link_row, account_id, code FROM links').all() as {
    readonly link_row: number;
    readonly account_id: number;
    readonly code: string;
  }[];
  // Backdates each link's creation, because clicks cannot be older than their link.
  database.exec(`UPDATE links SET created_at = created_at - ${msPerDay} * (18 + 3 * (link_row % 9))`);
  database.close();
  const random = createRandom(46);
  const collector = createClickCollector(512 * 1024 * 1024);
  const sums = new Map<string, number>();
  const now = Date.now();
  for (const [rank, [code]] of links.entries()) {
    const link = rows.find((row) => row.code === code);
    if (link === undefined) throw new Error(`${code} is missing.`);
    for (let day = 0; day < days; day += 1) {
      const start = Math.floor(now / msPerDay) * msPerDay - day * msPerDay;
      const isWeekend = [0, 6].includes(new Date(start).getUTCDay());
      const wave = 1 + 0.5 * Math.sin((day + rank * 5) / 4);
      const clicks = Math.round(
        (isWeekend ? 0.5 : 1) * wave * (420 / (rank + 1.5)) * (0.8 + random.below(40) / 100),
      );
      for (let click = 0; click < clicks; click += 1) {
        const hour = (random.below(13) + random.below(11) + 1) % 24;
        const at = start + hour * 3_600_000 + random.below(3_600_000);
        if (at > now) continue;
        const facts = drawFacts(random);
        collector.add(link.account_id, link.link_row, at, facts);
        const sum = `${link.link_row} ${hourOf(at)} ${facts.class}`;
        sums.set(sum, (sums.get(sum) ?? 0) + 1);
      }
    }
  }
  const flat = [...sums].flatMap(([sum, count]) => [...sum.split(' ').map(Number), count]);
  const storage = await openStorage(`sqlite:${path}`);
  const records = collector.take();
  await storage.applyClicks({ journal: 'pictures', from: 0, to: 1, sums: Float64Array.from(flat), records });
  await storage.close();
}

async function draw(origin: string, key: string): Promise<Record<string, string[]>> {
  mkdirSync(out, { recursive: true });
  const browser = await openBrowser();
  const words: Record<string, string[]> = {};
  for (const colorScheme of ['light', 'dark'] as const) {
    const screen = await openDashboard(browser, { url: origin }, key, {
      colorScheme,
      timezoneId: 'Europe/Berlin',
      viewport: { width: 1280, height: 800 },
      deviceScaleFactor: 1.5,
    });
    for (const { name, path, drawn } of pictured) {
      await screen.page.goto(origin + path, { waitUntil: 'load' });
      await screen.page.locator(drawn).first().waitFor();
      await screen.page.waitForTimeout(1_500);
      await requireDrawn(screen.page, drawn);
      await screen.page.screenshot({ path: join(out, `${name}-${colorScheme}.png`) });
      words[name] = await wordsOn(screen.page);
    }
    await screen.close();
  }
  await browser.close();
  return words;
}

type Domains = Record<(typeof picturedDomains)[number], string>;

/** Creates one domain for each state by calling the API and changing DNS records. @returns the IDs of the domains */
async function makeDomains(client: Client): Promise<Domains> {
  const ids: Partial<Domains> = {};
  for (const state of picturedDomains) {
    const { id, records } = await client.createDomain({ host: `${hosts[state]}.winter-rides.example` });
    ids[state] = id;
    for (const { type, name, value } of records)
      if (state !== 'pending') dns.zone[name] = { [type]: [value] };
    const [ownership, traffic] = records;
    if (ownership !== undefined && state === 'wrong')
      dns.zone[ownership.name] = { TXT: ['linkfold=of-another-account'] };
    await client.verifyDomain(id);
    if (traffic !== undefined && state === 'failing') delete dns.zone[traffic.name];
  }
  return ids as Domains;
}

/** Marks a verified domain as if its DNS records had been missing for some days. */
function failSinceDays(id: string, days: number): void {
  const database = new DatabaseSync(join(dataDir, 'linkfold.db'));
  database
    .prepare("UPDATE domains SET status = 'failing', failing_since = ? WHERE id = ?")
    .run(Date.now() - days * msPerDay, Buffer.from(id.replaceAll('-', ''), 'hex'));
  database.close();
}

/** Takes a screenshot of a domain's page, including its settings, in each state. */
async function drawDomains(origin: string, key: string, ids: Domains): Promise<Record<string, string[]>> {
  const browser = await openBrowser();
  const screen = await openDashboard(browser, { url: origin }, key, {
    colorScheme: 'light',
    viewport: { width: 1000, height: 1000 },
    deviceScaleFactor: 1.5,
  });
  let domain: string[] = [];
  for (const state of picturedDomains) {
    const { page } = screen;
    await page.goto(`${origin}/dashboard/domains/${ids[state]}`);
    await page.locator('[data-record]').first().waitFor();
    await page.waitForTimeout(3_000);
    await requireDrawn(page, state === 'active' ? '.dns .found' : '.dns li:not(.found, .waiting)');
    if (state === 'pending') domain = await wordsOn(page, ofDomain);
    const end = await page.locator('.dns').boundingBox();
    const height = Math.ceil((end?.y ?? 0) + (end?.height ?? 0));
    await page.screenshot({
      path: join(out, `domain-${state}.png`),
      clip: { x: 64, y: 0, width: 936, height },
    });
  }
  await screen.close();
  await browser.close();
  return { domain };
}
