import assert from 'node:assert/strict';
import { test } from 'node:test';
import { classOf, createClassify } from './visitor.ts';

const chrome =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36';
const iphone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1';
const iMessage =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_11_1) AppleWebKit/601.2.4 (KHTML, like Gecko) Version/9.0.1 Safari/601.2.4 facebookexternalhit/1.1 Facebot Twitterbot/1.0';

const table = [
  ['human', ['User-Agent', chrome]],
  ['human', ['user-agent', iphone]],
  [
    'human',
    ['Host', 'x', 'USER-AGENT', 'Mozilla/5.0 (Windows NT 10.0; rv:127.0) Gecko/20100101 Firefox/127.0'],
  ],
  ['human', ['User-Agent', `${iphone} [FBAN/FBIOS;FBAV/465.0.0.34.104]`]],
  ['human', ['User-Agent', chrome, 'Sec-Purpose', 'something-else']],
  ['prefetch', ['User-Agent', chrome, 'Sec-Purpose', 'prefetch']],
  ['prefetch', ['Sec-Purpose', 'prefetch;prerender', 'User-Agent', chrome]],
  ['prefetch', ['User-Agent', chrome, 'Purpose', 'prefetch']],
  ['prefetch', ['User-Agent', chrome, 'X-Purpose', 'preview']],
  ['prefetch', ['User-Agent', chrome, 'X-Moz', 'prefetch']],
  ['preview', ['User-Agent', 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)']],
  ['preview', ['User-Agent', 'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)']],
  ['preview', ['User-Agent', 'Twitterbot/1.0']],
  ['preview', ['User-Agent', 'WhatsApp/2.23.20.0 A']],
  ['preview', ['User-Agent', 'TelegramBot (like TwitterBot)']],
  ['preview', ['User-Agent', 'Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)']],
  ['preview', ['User-Agent', 'LinkedInBot/1.0 (compatible; Mozilla/5.0; +http://www.linkedin.com)']],
  ['preview', ['User-Agent', 'Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5']],
  ['preview', ['User-Agent', iMessage]],
  ['bot', ['User-Agent', 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)']],
  ['bot', ['User-Agent', 'curl/8.7.1']],
  ['bot', ['User-Agent', '']],
  ['bot', ['Host', 'x']],
  ['bot', []],
] as const;

test('the class of a visitor', () => {
  const classify = createClassify();
  // Twice: the second answer comes from memory.
  for (const [expected, headers] of [...table, ...table])
    assert.equal(classOf(headers, classify), expected, headers.join(' '));
});

test('many and long user agents are answered, and forgotten in their order', () => {
  const classify = createClassify();
  for (let index = 0; index < 10_000; index += 1) classOf(['User-Agent', `${chrome} v${index}`], classify);
  assert.equal(classOf(['User-Agent', chrome + ' '.repeat(5000)], classify), 'human');
  assert.equal(classOf(['User-Agent', `Twitterbot/1.0${'x'.repeat(5000)}`], classify), 'preview');
});
