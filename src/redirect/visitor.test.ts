import assert from 'node:assert/strict';
import { test } from 'node:test';
import { classOfAgent } from './visitor.ts';

const chrome =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36';
const iphone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1';
const iMessage =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_11_1) AppleWebKit/601.2.4 (KHTML, like Gecko) Version/9.0.1 Safari/601.2.4 facebookexternalhit/1.1 Facebot Twitterbot/1.0';

const table = [
  ['human', chrome],
  ['human', iphone],
  ['human', 'Mozilla/5.0 (Windows NT 10.0; rv:127.0) Gecko/20100101 Firefox/127.0'],
  ['human', ['User-Agent', `${iphone} [FBAN/FBIOS;FBAV/465.0.0.34.104]`]],
  ['preview', 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)'],
  ['preview', 'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)'],
  ['preview', 'Twitterbot/1.0'],
  ['preview', 'WhatsApp/2.23.20.0 A'],
  ['preview', 'TelegramBot (like TwitterBot)'],
  ['preview', 'Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)'],
  ['preview', 'LinkedInBot/1.0 (compatible; Mozilla/5.0; +http://www.linkedin.com)'],
  ['preview', 'Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5'],
  ['preview', iMessage],
  ['bot', 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'],
  ['bot', 'curl/8.7.1'],
  ['bot', 'Mozilla/5.0 (Windows NT; Windows NT 10.0; de-DE) WindowsPowerShell/5.1.22621.2506'],
  ['bot', 'Mozilla/5.0 (Windows NT 10.0; Microsoft Windows 10.0.22631; en-US) PowerShell/7.4.1'],
  ['bot', 'Dalvik/2.1.0 (Linux; U; Android 13; SM-G991B Build/TP1A)'],
  ['bot', 'com.example.app/1 (Linux; U; Android 12; en_US; Pixel; Cronet/119.0)'],
  ['bot', 'Example/1 CFNetwork/1410.0.3 Darwin/22.6.0'],
  ['bot', 'okhttp/4.12.0'],
  ['bot', 'Java-http-client/17.0.1'],
  ['bot', 'Dart/3.2 (dart:io)'],
  ['bot', 'Mozilla/5.0 (compatible; Mimecast)'],
  ['bot', 'Mozilla/5.0 (Windows NT 6.1; Barracuda Sentinel (EE))'],
  ['human', 'Mozilla/5.0 (compatible; MSIE 9.0; Windows NT 6.1; Trident/5.0)'],
  ['human', 'Mozilla/5.0 (compatible; Konqueror/4.1; Linux) KHTML/4.1.2'],
  ['human', 'Microsoft Office/16.0 (Windows NT 10.0; Microsoft Outlook 16.0.12026; Pro)'],
  ['bot', ''],
] as const;

test('classifies a visitor', () => {
  for (const [expected, agent] of table as readonly (readonly [string, string])[])
    assert.equal(classOfAgent(agent), expected, agent);
});
