import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { awkwardTexts } from '../../../test/support/random/awkward-texts.ts';
import { browsers, describeAgent, devices, readAgent, systems } from './agents.ts';

type Words = readonly [browser: string, os: string, device: string];

function wordsOf(agent: string): Words {
  const { browser, os, device } = readAgent(agent);
  return [browsers[browser] ?? '?', systems[os] ?? '?', devices[device] ?? '?'];
}

const webKit = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';
const iphone = `Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) ${webKit}`;
const mac = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko)';
const pixel =
  'Mozilla/5.0 (Linux; Android 15; Pixel 9 Build/AD1A; wv) AppleWebKit/537.36 (KHTML, like Gecko)';
const android = 'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko)';
const windows = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko)';
const chrome = 'Chrome/140.0.0.0';

const table: readonly (readonly [string, ...Words])[] = [
  ['', '', '', ''],
  ['  ', '', '', ''],
  ['curl/8.7.1', 'other', 'other', 'other'],
  [`${windows} ${chrome} Safari/537.36`, 'chrome', 'windows', 'desktop'],
  [`${windows} ${chrome} Safari/537.36 Edg/140.0.0.0`, 'edge', 'windows', 'desktop'],
  [`${windows} ${chrome} Safari/537.36 OPR/120.0.0.0`, 'opera', 'windows', 'desktop'],
  [`${mac} ${chrome} Safari/537.36 Vivaldi/7.1`, 'vivaldi', 'macos', 'desktop'],
  [`${mac} Version/18.5 Safari/605.1.15`, 'safari', 'macos', 'desktop'],
  [`${mac} Slack/4.41.97 ${chrome} Electron/34.0 Safari/537.36`, 'slack', 'macos', 'desktop'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'firefox', 'linux', 'desktop'],
  ['Mozilla/5.0 (X11; FreeBSD amd64; rv:140.0) Gecko/20100101 Firefox/140.0', 'firefox', 'bsd', 'desktop'],
  ['Mozilla/5.0 (Android 14; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0', 'firefox', 'android', 'mobile'],
  ['Mozilla/5.0 (Windows NT 6.1; WOW64; Trident/7.0; rv:11.0) like Gecko', 'ie', 'windows', 'desktop'],
  [`Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${chrome} Safari/537.36`, 'chrome', 'chromeos', 'desktop'],
  [`${iphone} Version/18.5 Mobile/15E148 Safari/604.1`, 'safari', 'ios', 'mobile'],
  [`${iphone} CriOS/140.0 Mobile/15E148 Safari/604.1`, 'chrome', 'ios', 'mobile'],
  [`${iphone} FxiOS/140.0 Mobile/15E148 Safari/605.1.15`, 'firefox', 'ios', 'mobile'],
  [`${iphone} Version/18.0 EdgiOS/140.0 Mobile/15E148 Safari/604.1`, 'edge', 'ios', 'mobile'],
  [`${iphone} GSA/380.0 Mobile/15E148 Safari/604.1`, 'google', 'ios', 'mobile'],
  [`${iphone} Mobile/15E148`, 'webview', 'ios', 'mobile'],
  [
    `${iphone} Mobile/15E148 Instagram 390.0.0.28 (iPhone17,1; iOS 18_7; en_US)`,
    'instagram',
    'ios',
    'mobile',
  ],
  [`${iphone} Mobile/15E148 [FBAN/FBIOS;FBAV/465.0.0.34.104;FBBV/1]`, 'facebook', 'ios', 'mobile'],
  [`${iphone} Mobile/15E148 musical_ly_39.8.0 BytedanceWebview/d8a21c6`, 'tiktok', 'ios', 'mobile'],
  [`${iphone} Mobile/15E148 [LinkedInApp]/9.31`, 'linkedin', 'ios', 'mobile'],
  [`${iphone} Mobile/15E148 MicroMessenger/8.0.50 NetType/WIFI Language/en`, 'wechat', 'ios', 'mobile'],
  [`${iphone.replaceAll('iPhone', 'iPad')} Version/18 Safari/604.1`, 'safari', 'ios', 'tablet'],
  [`${android} ${chrome} Mobile Safari/537.36`, 'chrome', 'android', 'mobile'],
  [`${android} ${chrome} Safari/537.36`, 'chrome', 'android', 'tablet'],
  [`${android} SamsungBrowser/28.0 ${chrome} Mobile Safari/537.36`, 'samsung', 'android', 'mobile'],
  [`${android} ${chrome} Mobile Safari/537.36 EdgA/140.0`, 'edge', 'android', 'mobile'],
  [`${pixel} Version/4.0 ${chrome} Mobile Safari/537.36`, 'webview', 'android', 'mobile'],
  [`${pixel} Version/4.0 ${chrome} Mobile Safari/537.36 Instagram 390.0`, 'instagram', 'android', 'mobile'],
  [
    `${pixel} Version/4.0 ${chrome} Mobile Safari/537.36 [FB_IAB/FB4A;FBAV/465]`,
    'facebook',
    'android',
    'mobile',
  ],
  [`${pixel} Version/4.0 ${chrome} Mobile Safari/537.36 Line/14.1.0/IAB`, 'line', 'android', 'mobile'],
  ['Opera/9.80 (J2ME/MIDP; Opera Mini/9.80 (S60; SymbOS)) Presto/2.12', 'opera', 'other', 'mobile'],
  [
    'Mozilla/5.0 (Linux; U; Android 4.0.3; de-de; GT-I9100) AppleWebKit/534.30 (KHTML, like Gecko) Version/4.0 Mobile Safari/534.30',
    ...(['android', 'android', 'mobile'] as const),
  ],
  [
    'Mozilla/5.0 (Linux; Android 11; KFTRWI) AppleWebKit/537.36 (KHTML, like Gecko) Silk/140.1 like Chrome/140.0 Safari/537.36',
    ...(['silk', 'android', 'tablet'] as const),
  ],
  [
    `Mozilla/5.0 (Mobile; Nokia 8110; rv:48.0) Gecko/48.0 Firefox/48.0 KAIOS/2.5`,
    'firefox',
    'kaios',
    'mobile',
  ],
  [
    `Mozilla/5.0 (Phone; OpenHarmony 5.0) ${chrome} HuaweiBrowser/5.0 Mobile`,
    'huawei',
    'harmonyos',
    'mobile',
  ],
  [`Mozilla/5.0 (Web0S; Linux/SmartTV) ${chrome} Safari/537.36 WebAppManager`, 'chrome', 'webos', 'tv'],
  [
    'Mozilla/5.0 (SMART-TV; LINUX; Tizen 7.0) AppleWebKit/537.36 Version/7.0 TV Safari/537.36',
    'safari',
    'tizen',
    'tv',
  ],
  [`Mozilla/5.0 (Linux; Android 12; BRAVIA 4K) ${chrome} Safari/537.36`, 'chrome', 'android', 'tv'],
  ['AppleTV11,1/11.1', 'other', 'tvos', 'tv'],
  ['Roku/DVP-9.10 (519.10E04111A)', 'other', 'roku', 'tv'],
  [
    'Mozilla/5.0 (PlayStation; PlayStation 5/2.26) AppleWebKit/605.1.15 Safari/605.1.15',
    'safari',
    'playstation',
    'console',
  ],
  [
    `${windows.replace('x64', 'x64; Xbox; Xbox One')} ${chrome} Safari/537.36 Edge/44`,
    'edge',
    'windows',
    'console',
  ],
  ['Mozilla/5.0 (Nintendo Switch; WebApplet) AppleWebKit/609.4', 'other', 'nintendo', 'console'],
  ['Mozilla/5.0 (Apple Watch; CPU Watch OS 11) AppleWebKit/605.1.15', 'other', 'watchos', 'watch'],
];

test("detects a user agent's browser, system and device", () => {
  for (const [agent, ...expected] of table) assert.deepEqual(wordsOf(agent), expected, agent);
});

const require = createRequire(import.meta.url);
type Parse = (agent: string) => Record<'browser' | 'os', { name?: string }> & { device: { type?: string } };

/**
 * Maps browser names in ua-parser-js to ours. Only our parser distinguishes browsers that are based on Chrome or Safari
 * and add their name at the end of the user agent.
 */
const sameBrowser: Readonly<Record<string, readonly string[]>> = {
  Chrome: ['chrome', 'ecosia'],
  'Mobile Safari': ['safari', 'brave'],
  GSA: ['google'],
  WebKit: ['webview'],
  'Chrome WebView': ['webview'],
  'Samsung Internet': ['samsung'],
  'Opera Touch': ['opera'],
};
const sameSystem: Readonly<Record<string, string>> = {
  'Mac OS': 'macos',
  'Chromium OS': 'chromeos',
  Ubuntu: 'linux',
};

test('agrees with ua-parser-js on 10,000 real user agents', (t) => {
  const parse = require('ua-parser-js') as Parse;
  const samples = require('../../../node_modules/user-agents/dist/user-agents.json') as readonly {
    userAgent: string;
    weight: number;
  }[];
  const agreed = { browser: 0, os: 0, device: 0 };
  let total = 0;
  for (const { userAgent, weight } of samples) {
    const theirs = parse(userAgent);
    const [browser, os, device] = wordsOf(userAgent);
    const { name = 'other' } = theirs.browser;
    const { name: system = 'other' } = theirs.os;
    total += weight;
    if ((sameBrowser[name] ?? [name.toLowerCase()]).includes(browser)) agreed.browser += weight;
    if ((sameSystem[system] ?? system.toLowerCase()) === os) agreed.os += weight;
    if ((theirs.device.type ?? 'desktop') === device) agreed.device += weight;
  }
  t.diagnostic(
    Object.entries(agreed)
      .map(([what, sum]) => `${what} ${((100 * sum) / total).toFixed(2)} %`)
      .join(', '),
  );
  for (const [what, sum] of Object.entries(agreed))
    assert.ok(sum / total >= 0.995, `${what}: ${sum / total}`);
});

test('keeps the numbers stored in existing clicks', () => {
  const stored: readonly (readonly [readonly string[], string])[] = [
    [
      browsers,
      ' other chrome safari firefox edge opera samsung instagram facebook webview google tiktok snapchat linkedin pinterest x reddit whatsapp telegram line wechat kakaotalk slack teams duckduckgo brave vivaldi yandex uc miui huawei vivo oppo qq whale silk android ie ecosia naver',
    ],
    [
      systems,
      ' other windows macos ios android linux chromeos harmonyos kaios tizen webos tvos watchos playstation nintendo roku bsd',
    ],
    [devices, ' other desktop mobile tablet tv console watch'],
  ];
  for (const [words, before] of stored) {
    const expected = before.split(' ');
    assert.deepEqual(words.slice(0, expected.length), expected);
    assert.equal(new Set(words).size, words.length);
  }
});

test('names browser and system as users know them', () => {
  const messages = [
    ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Linux'],
    [`${mac} Version/18.5 Safari/605.1.15`, 'Safari on macOS'],
    [`${iphone} CriOS/140.0 Mobile/15E148 Safari/604.1`, 'Chrome on iPhone'],
    [`${iphone.replaceAll('iPhone', 'iPad')} Version/18 Safari/604.1`, 'Safari on iPad'],
    ['Firefox/140.0', 'Firefox'],
    ['curl/8.7.1', 'Another program'],
    ['', 'Another program'],
  ];
  for (const [agent = '', words] of messages) assert.equal(describeAgent(agent), words);
});

test('has a name for every value', () => {
  const messages = new Set(table.flatMap(([, ...words]) => words));
  for (const word of [...systems, ...devices]) assert.ok(messages.has(word), word);
});

test('parses hostile user agents and ignores everything after 512 characters', () => {
  for (const { text, unit } of awkwardTexts(`${android} ${chrome} Mobile`, 60_000)) {
    const read = readAgent(text);
    assert.ok(
      Object.values(read).every((number) => number >= 0),
      unit,
    );
  }
  assert.deepEqual(wordsOf(`${'x'.repeat(512)} Firefox/1`), ['other', 'other', 'other']);
  for (const agent of ['__proto__', 'constructor', 'hasOwnProperty'])
    assert.equal(wordsOf(agent)[0], 'other');
});
