import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { escapeHtml, html } from './html.ts';
import { contentSecurityPolicy } from './layout.ts';
import { iconUrl } from './mark.ts';
import { expiredPage, messagePage, notFoundPage, previewPage, rootPage } from './pages.ts';

const preview = { code: 'sale', location: 'https://xn--80ak6aa92e.com:8443/a?b=1&c=<2>' };
const pages = {
  notFound: notFoundPage('<i>'),
  nothing: notFoundPage(),
  expired: expiredPage(),
  root: rootPage(),
  message: messagePage('Title', 'Text', 'Facts'),
  preview: previewPage(preview),
};

test('every value in markup is escaped, markup itself is not', () => {
  assert.equal(escapeHtml(`<a href="x" id='y'>&`), '&lt;a href=&quot;x&quot; id=&#39;y&#39;&gt;&amp;');
  assert.equal(
    html`<p>${'<script>'}${html`<b>${'&'}</b>`}${undefined}</p>`.markup,
    '<p>&lt;script&gt;<b>&amp;</b></p>',
  );
});

test('the policy allows exactly the style of every page, and no script is in one', () => {
  for (const [name, page] of Object.entries(pages)) {
    const style = /<style>([\s\S]*)<\/style>/.exec(page)?.[1] ?? '';
    const digest = createHash('sha256').update(style).digest('base64');
    assert.ok(contentSecurityPolicy.includes(`style-src 'sha256-${digest}'`), name);
    assert.doesNotMatch(page, /<script|javascript:| style="| on[a-z]+="/i, name);
    assert.match(page, /<meta name="robots" content="noindex">/);
    assert.equal(page.includes('<a href="/">'), name !== 'root', `${name}: a way to the start`);
    assert.ok(page.includes(`<link rel="icon" href="${iconUrl}">`), name);
  }
});

test('a preview shows the whole destination with its host, and leads there without a referrer', () => {
  assert.match(pages.preview, /https:\/\/<b>xn--80ak6aa92e\.com:8443<\/b>\/a\?b=1&amp;c=&lt;2&gt;/);
  assert.match(
    pages.preview,
    /href="https:\/\/xn--80ak6aa92e\.com:8443\/a\?b=1&amp;c=&lt;2&gt;" rel="noreferrer noopener"/,
  );
  const full = previewPage({ ...preview, title: '<b>Hi</b>', createdAt: Date.UTC(2026, 0, 2) });
  assert.match(full, /&lt;b&gt;Hi&lt;\/b&gt;/);
  assert.match(full, /<time datetime="2026-01-02T00:00:00.000Z">2026-01-02<\/time>/);
});
