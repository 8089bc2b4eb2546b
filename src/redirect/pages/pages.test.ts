import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { contrastOf } from '../../qr/colours.ts';
import { tonesOf } from '../../qr/tones.ts';
import { appPage } from './app.ts';
import type { Brand } from './brand.ts';
import { cardPage } from './card.ts';
import { escapeHtml, html } from './html.ts';
import { contentSecurityPolicy, headersOf } from './layout.ts';
import { iconUrl } from './mark.ts';
import {
  buttonPage,
  errorPage,
  messagePage,
  notFoundPage,
  passwordPage,
  previewPage,
  type RefusalText,
  refusalPage,
  rootPage,
} from './pages.ts';
import { type PageLanguage, pageTexts, textsIn } from './texts/languages.ts';

const t = textsIn('en');
const expiredPage = (brand?: Brand) => refusalPage(t, 'expired', brand);
const preview = { code: 'sale', location: 'https://xn--80ak6aa92e.com:8443/a?b=1&c=<2>' };
const app = {
  appUrl: 'acme://item/1?a=1,2&b=3',
  storeUrl: 'https://apps.apple.com/app/acme/id123?l=1&m=2',
  webUrl: 'https://example.com/item?a=1&b=<2>',
};
const pages = {
  notFound: notFoundPage(t, '<i>'),
  nothing: notFoundPage(t),
  expired: expiredPage(),
  password: passwordPage(t, true),
  root: rootPage(t),
  message: messagePage(t, 'Title', 'Text', html`Facts`),
  preview: previewPage(t, preview),
  app: appPage(t, app),
  card: cardPage(t, {
    title: '"><script>',
    image: 'https://a.example/"><script>',
    shortUrl: 'https://go.example/a',
  }),
};

test('escapes every value in markup, not markup itself', () => {
  assert.equal(escapeHtml(`<a href="x" id='y'>&`), '&lt;a href=&quot;x&quot; id=&#39;y&#39;&gt;&amp;');
  assert.equal(
    html`<p>${'<script>'}${html`<b>${'&'}</b>`}${undefined}</p>`.markup,
    '<p>&lt;script&gt;<b>&amp;</b></p>',
  );
});

test('allows exactly the style of every page in the policy, and has no scripts', () => {
  for (const [name, page] of Object.entries(pages)) {
    const style = /<style>([\s\S]*)<\/style>/.exec(page)?.[1] ?? '';
    const digest = createHash('sha256').update(style).digest('base64');
    assert.ok(contentSecurityPolicy.includes(`style-src 'sha256-${digest}'`), name);
    assert.doesNotMatch(page, /<script|javascript:| style="| on[a-z]+="/i, name);
    assert.match(page, /<meta name="robots" content="noindex">/);
    assert.equal(page.includes('<a href="/">'), name !== 'root', `${name}: a link to the home page`);
    assert.ok(page.includes(`<link rel="icon" href="${iconUrl}">`), name);
  }
});

test('shows the whole destination with its host in a preview, and links there without a referrer', () => {
  assert.match(pages.preview, /https:\/\/<b>xn--80ak6aa92e\.com:8443<\/b>\/a\?b=1&amp;c=&lt;2&gt;/);
  assert.match(
    pages.preview,
    /href="https:\/\/xn--80ak6aa92e\.com:8443\/a\?b=1&amp;c=&lt;2&gt;" rel="noreferrer noopener"/,
  );
  const full = previewPage(t, { ...preview, title: '<b>Hi</b>', createdAt: Date.UTC(2026, 0, 2) });
  assert.match(full, /&lt;b&gt;Hi&lt;\/b&gt;/);
  assert.match(full, /<time datetime="2026-01-02T00:00:00.000Z">2026-01-02<\/time>/);
});

test('offers the app, its store page and the web page, in this order and without a referrer', () => {
  assert.deepEqual(
    [...pages.app.matchAll(/<a (?:class="go" )?href="([^"]*)" rel="noreferrer noopener">/g)].map(
      ([, url]) => url,
    ),
    [
      'acme://item/1?a=1,2&amp;b=3',
      'https://apps.apple.com/app/acme/id123?l=1&amp;m=2',
      'https://example.com/item?a=1&amp;b=&lt;2&gt;',
    ],
  );
  assert.match(
    pages.app,
    /<meta name="apple-itunes-app" content="app-id=123, app-argument=acme:\/\/item\/1\?a=1%2C2&amp;b=3">/,
  );
  for (const storeUrl of [
    'https://apps.apple.com.evil.example/id1',
    'https://play.google.com/store/apps?id=id1',
  ])
    assert.doesNotMatch(appPage(t, { ...app, storeUrl }), /apple-itunes-app/, storeUrl);
  const withoutStore = appPage(t, { ...app, storeUrl: undefined });
  assert.doesNotMatch(withoutStore, /apple-itunes-app|Get the app/);
});

const brand: Brand = {
  name: 'Acme & <Söhne>',
  accent: '#ffd400',
  logo: null,
  message: 'Over.\n<script>alert(1)</script>',
  contact: 'https://acme.example/contact?a=1&b=2',
};

test('shows escaped branding on a page, and allows only its colors in the policy', () => {
  for (const [page, hasForm] of [
    [expiredPage(brand), false],
    [previewPage(t, preview, brand), false],
    [appPage(t, app, brand), false],
    [buttonPage(t, 'once', brand), true],
  ] as const) {
    const policy = headersOf(brand, hasForm)['content-security-policy'] ?? '';
    const styles = [...page.matchAll(/<style>([\s\S]*?)<\/style>/g)].map(([, style = '']) => style);
    const digests = styles.map((style) => `'sha256-${createHash('sha256').update(style).digest('base64')}'`);
    assert.equal(digests.length, 2);
    assert.ok(policy.includes(`style-src ${digests.join(' ')};`), policy);
    assert.ok(policy.includes(hasForm ? "form-action 'self' http: https:" : "form-action 'none'"));
    assert.match(page, /<p class="name">Acme &amp; &lt;Söhne&gt;<\/p>/);
    assert.match(page, /<title>[^<]* · Acme &amp; &lt;Söhne&gt;<\/title>/);
    assert.doesNotMatch(page, /<script|class="mark"/);
  }
  const expired = expiredPage(brand);
  assert.match(expired, /<h1>This link has expired<\/h1>\n<p class="message">Over\.\n&lt;script&gt;/);
  assert.match(
    expired,
    /<a href="https:\/\/acme\.example\/contact\?a=1&amp;b=2" rel="[^"]*">acme\.example<\/a>/,
  );
  const logo = 'data:image/png;base64,AAAA';
  const withLogo = expiredPage({
    ...brand,
    logo,
    accent: null,
    message: null,
    contact: 'mailto:hi@acme.example',
  });
  assert.match(
    withLogo,
    /<img class="logo" src="data:image\/png;base64,AAAA" alt="Acme &amp; &lt;Söhne&gt;">/,
  );
  assert.match(withLogo, /<p class="message">Ask the person who shared it/);
  assert.match(withLogo, /<a href="mailto:hi@acme\.example" rel="[^"]*">hi@acme\.example<\/a>/);
  const nothing = { name: null, accent: null, logo: null, message: null, contact: null };
  assert.equal(expiredPage(nothing), expiredPage());
  assert.deepEqual(headersOf(nothing), headersOf());
});

test('keeps text readable on and in every color, and keeps readable colors unchanged', () => {
  const steps = ['00', '33', '66', '99', 'cc', 'ff'];
  for (const red of steps)
    for (const green of steps)
      for (const blue of steps) {
        const accent = `#${red}${green}${blue}`;
        const { onAccent, hover, onLight, onDark } = tonesOf(accent);
        for (const [text, ground] of [
          [onAccent, accent],
          [onAccent, hover],
          [onLight, '#fbfaf8'],
          [onDark, '#151412'],
        ] as const)
          assert.ok(contrastOf(text, ground) >= 4.5, `${accent}: ${text} on ${ground}`);
      }
  assert.equal(tonesOf('#1f4d41').onLight, '#1f4d41');
  assert.equal(tonesOf('#ffd400').onDark, '#ffd400');
});

test('fills the same placeholders in every language, for every page', () => {
  const kinds: readonly RefusalText[] = ['expired', 'notStarted', 'exhausted', 'unavailable'];
  const placeholders = (texts: object): readonly string[] =>
    Object.entries(texts).flatMap(([key, text]) =>
      typeof text === 'string'
        ? [...text.matchAll(/\{\w+\}/g)].map(([name]) => `${key} ${name}`)
        : placeholders(text).map((one) => `${key}.${one}`),
    );
  const leaves = (texts: object): readonly string[] =>
    Object.values(texts).flatMap((text) => (typeof text === 'string' ? [text] : leaves(text)));
  for (const lang of Object.keys(pageTexts) as PageLanguage[]) {
    const texts = textsIn(lang);
    assert.deepEqual(placeholders(pageTexts[lang]), placeholders(pageTexts.en), lang);
    for (const text of leaves(pageTexts[lang])) assert.match(text, /\S/, lang);
    const inIt = [
      ...kinds.map((kind) => refusalPage(texts, kind, { ...brand, message: null })),
      ...[
        notFoundPage(texts),
        notFoundPage(texts, 'a'),
        buttonPage(texts, 'once'),
        buttonPage(texts, 'exclude'),
        passwordPage(texts, true),
      ],
      ...[rootPage(texts), rootPage(texts, false), previewPage(texts, preview), errorPage(texts, 429, 'No.')],
      cardPage(texts, { shortUrl: 'https://go.example/a' }),
      appPage(texts, app),
    ];
    const english = leaves(pageTexts.en).filter((text) => !leaves(pageTexts[lang]).includes(text));
    for (const page of inIt) {
      assert.match(page, new RegExp(`<html lang="${lang}">`));
      assert.doesNotMatch(page.replace(/<style>.*?<\/style>/gs, ''), /\{\w+\}/);
      if (lang !== 'en')
        for (const text of english)
          assert.ok(text.length < 12 || !page.includes(`>${text}<`), `${lang} has “${text}”`);
    }
  }
});
