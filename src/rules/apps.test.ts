import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { appSchemeOf, appSchemePattern, isForbiddenScheme } from '../model/app-schemes.ts';
import { appsProblems, compileApps } from './apps.ts';
import { compileRules } from './decide.ts';
import type { App, Apps, VisitFacts } from './rule.ts';

const web = 'https://example.com/item/1';
const appStore = 'https://apps.apple.com/de/app/acme/id123456789';
const play = 'https://play.google.com/store/apps/details?id=com.acme.shop';
const allowed = new Set(['acme']);
const facts = (os: string, more: Partial<VisitFacts> = {}): VisitFacts => ({
  ...{ country: '', region: '', device: 'mobile', browser: 'chrome', class: 'human', languages: '' },
  ...{ referrer: '', query: '', at: 0, visitor: 0 },
  ...more,
  os,
});

test('refuses apps with the field and the remedy', () => {
  const checks = {
    appSchemes: new Set(['acme', 'javascript']),
    readPage: (url: string) =>
      url.includes('blocked')
        ? ({
            field: 'url',
            reason: 'not_allowed',
            message: 'url points to blocked.example, which the operator has blocked.',
            code: 'DESTINATION_BLOCKED',
          } as const)
        : { url, location: url },
  };
  const found = (apps: Apps) =>
    appsProblems(apps, 'rules[2].to.apps', checks).map(({ field, reason, message }) => {
      assert.ok(message.startsWith(field), message);
      return [field.replace('rules[2].to.apps', ''), reason, message.slice(field.length + 1)];
    });
  const ofUrl = (appUrl: string) => found({ ios: { appUrl } })[0]?.slice(1);
  assert.deepEqual(found({}), [['', 'missing', 'must have ios, android or both.']]);
  assert.deepEqual(found({ ios: undefined }), [['', 'missing', 'must have ios, android or both.']]);
  for (const appUrl of [
    ...['acme', 'acme:', '//item', '1acme://x', 'acme://a b', ' acme://a', 'acme://a\n', 'acme://ü'],
    ...[
      'java\tscript:alert(1)',
      'acme://{1}',
      'acme://"',
      'acme://<script>',
      'acme://a\\b',
      '\u0000acme://a',
    ],
  ]) {
    const [reason, message] = ofUrl(appUrl) ?? [];
    assert.equal(reason, 'invalid_format', appUrl);
    assert.match(message ?? '', /^must be a URL such as acme:\/\/item\/1 .* Percent-encode/);
  }
  for (const scheme of [
    ...['javascript', 'JavaScript', 'data', 'file', 'vbscript', 'blob', 'about', 'http', 'view-source'],
    ...['filesystem', 'intent', 'content', 'android-app', 'itms-services', 'chrome', 'ws', 'x-safari-https'],
  ])
    assert.deepEqual(ofUrl(`${scheme}://x`), [
      'not_allowed',
      `must not use ${scheme.toLowerCase()}:. Use https or the scheme of your app.`,
    ]);
  assert.deepEqual(ofUrl('other://x'), [
    'not_allowed',
    'uses the scheme other, which the account does not allow. An owner or admin can add it to appSchemes of the account.',
  ]);
  assert.deepEqual(ofUrl('https://blocked.example/x'), [
    'not_allowed',
    'points to blocked.example, which the operator has blocked.',
  ]);
  for (const storeUrl of [
    'http://a.example',
    'acme://store',
    'market://details?id=a',
    'https://a.example/{1}',
  ])
    assert.deepEqual(found({ android: { appUrl: 'acme://x', storeUrl } }), [
      ['.android.storeUrl', 'invalid_format', 'must start with https:// and have no placeholders.'],
    ]);
  assert.deepEqual(found({ android: { appUrl: 'acme://x', storeUrl: 'https://blocked.example/' } })[0], [
    '.android.storeUrl',
    'not_allowed',
    'points to blocked.example, which the operator has blocked.',
  ]);
  assert.deepEqual(
    found({ ios: { appUrl: 'ACME://x?a=1#b', storeUrl: appStore }, android: { appUrl: web } }),
    [],
  );
});

test('accepts only texts that browsers read with the same scheme', () => {
  const texts = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc
      .tuple(fc.constantFrom('acme', 'javascript', 'Data', 'http\t', ' acme'), fc.string())
      .map((parts) => parts.join(':')),
  );
  fc.assert(
    fc.property(texts, (text) => {
      const scheme = appSchemeOf(text);
      if (scheme === undefined || (scheme === 'https' && !URL.canParse(text))) return;
      assert.equal(URL.parse(text)?.protocol ?? `${scheme}:`, `${scheme}:`);
    }),
    { numRuns: 2_000 },
  );
  // With these schemes, browsers open any page, even on blocked hosts.
  for (const browser of [
    ...['firefox', 'firefox-focus', 'firefox-klar', 'fenix', 'microsoft-edge-http', 'microsoft-edge-https'],
    ...['opera-http', 'opera-https', 'touch-http', 'touch-https', 'ddgquicklink', 'x-safari-https'],
  ])
    assert.ok(isForbiddenScheme(browser), browser);
  assert.ok(appSchemePattern.test('com.acme.shop+1-x'));
  for (const bad of ['', 'a', 'Acme', '1a', 'acme:', 'ac me', 'é'])
    assert.ok(!appSchemePattern.test(bad), bad);
});

const offerFor = (app: App, os: 'ios' | 'android', more: Partial<VisitFacts> = {}, schemes = allowed) => {
  const offer = compileApps({ [os]: app }, schemes)(facts(os, more));
  return offer && { ...offer, redirectFor: offer.redirectFor?.(web) };
};

test('gives bots, previews, other platforms and removed schemes no app', () => {
  const app = { appUrl: 'acme://item/1' };
  const both = compileApps({ ios: app, android: app }, allowed);
  for (const os of ['macos', 'windows', 'linux', 'tvos', 'harmonyos', ''])
    assert.equal(both(facts(os)), undefined, os);
  for (const visitor of ['bot', 'preview'] as const)
    for (const os of ['ios', 'android']) assert.equal(both(facts(os, { class: visitor })), undefined);
  assert.equal(compileApps({ android: app }, allowed)(facts('ios')), undefined);
  assert.ok(both(facts('ios', { class: 'prefetch' })), 'a prefetched page is shown to a person');
  for (const os of ['ios', 'android'] as const) {
    assert.equal(offerFor(app, os, {}, new Set()), undefined);
    assert.equal(offerFor({ ...app, storeUrl: play }, os, {}, new Set())?.redirectFor, play, 'the store');
    const script = { appUrl: 'javascript:alert(1)' };
    assert.equal(offerFor(script, os, {}, new Set(['javascript'])), undefined, 'even if stored as allowed');
  }
});

test('opens universal links by redirect, and schemes on iOS with a page', () => {
  assert.deepEqual(offerFor({ appUrl: 'https://acme.example/a b' }, 'ios'), undefined, 'not a URL');
  const link = offerFor({ appUrl: 'https://ACME.example/item' }, 'ios');
  assert.deepEqual(link, { appUrl: 'https://acme.example/item', redirectFor: 'https://acme.example/item' });
  const store = { appUrl: 'https://acme.example/item', storeUrl: appStore };
  assert.deepEqual(offerFor(store, 'ios'), { ...store, redirectFor: undefined });
  assert.deepEqual(offerFor({ appUrl: 'acme:item' }, 'ios'), {
    appUrl: 'acme:item',
    storeUrl: undefined,
    redirectFor: undefined,
  });
});

test('opens apps on Android with an intent URL and its fallback', () => {
  const redirectOf = (app: App, more?: Partial<VisitFacts>) => offerFor(app, 'android', more)?.redirectFor;
  const back = (url: string) => `S.browser_fallback_url=${encodeURIComponent(url)};end`;
  assert.equal(
    redirectOf({ appUrl: 'acme://item/1?a=b#c' }),
    `intent://item/1?a=b#c#Intent;scheme=acme;${back(web)}`,
  );
  assert.equal(
    redirectOf({ appUrl: 'ACME:item', storeUrl: play }),
    `intent:item#Intent;scheme=acme;package=com.acme.shop;${back(play)}`,
  );
  const other = 'https://store.example/?id=com.acme';
  assert.equal(
    redirectOf({ appUrl: 'acme://x', storeUrl: other }),
    `intent://x#Intent;scheme=acme;${back(other)}`,
  );
  assert.equal(
    redirectOf({ appUrl: web, storeUrl: play }),
    `intent://example.com/item/1#Intent;scheme=https;package=com.acme.shop;${back(play)}`,
  );
  assert.equal(
    redirectOf({ appUrl: web, storeUrl: other }),
    undefined,
    'a page: the browser would open https',
  );
  assert.equal(redirectOf({ appUrl: web }), web);
  for (const browser of ['instagram', 'webview', 'facebook', 'other', ''])
    assert.deepEqual(offerFor({ appUrl: 'acme://x' }, 'android', { browser }), {
      appUrl: 'acme://x',
      storeUrl: undefined,
      redirectFor: undefined,
    });
  const injected =
    redirectOf({ appUrl: 'acme://x', storeUrl: `${play}%3Bcomponent%3Dx;scheme=javascript` }) ?? '';
  assert.deepEqual(
    injected.split(';').map((part) => part.replace(/=.*/, '')),
    ['intent://x#Intent', 'scheme', 'S.browser_fallback_url', 'end'],
  );
  const hostile = redirectOf({ appUrl: 'acme://x#Intent;scheme=javascript;end' }) ?? '';
  assert.match(
    hostile.slice(hostile.lastIndexOf('#')),
    /^#Intent;scheme=acme;S/,
    'Android uses the last one',
  );
});

test("adds the app to its rule's decision only", () => {
  const rules = [
    { when: [{ fact: 'query' as const, name: 'web' }], to: { url: 'https://example.com/web' } },
    { when: [], to: { url: web, apps: { ios: { appUrl: 'acme://x' } } } },
  ];
  const decide = compileRules(rules, undefined, allowed);
  assert.deepEqual(decide(facts('windows')), { rule: 1, name: undefined, url: web });
  assert.equal(decide(facts('ios'))?.app?.appUrl, 'acme://x');
  assert.equal(decide(facts('ios', { query: 'web=1' }))?.app, undefined);
  assert.equal(compileRules(rules)(facts('ios'))?.app, undefined, 'no scheme is allowed by default');
  assert.ok(isForbiddenScheme('https'));
});
