import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hostOf, splitPlaceholders } from './addresses.ts';

test('splits a template into text and placeholders', () => {
  for (const [template, ...parts] of [
    ['https://a.example/', 'https://a.example/'],
    ['https://{1|www}.a.example/{path}', 'https://', '{1|www}', '.a.example/', '{path}', ''],
    ['/{path?search?q={path}}{2}', '/', '{path?search?q={path}}', '', '{2}', ''],
    ['/{{x}}/{x', '/{{x}}/{x'],
  ] as const) {
    assert.deepEqual(splitPlaceholders(template), parts);
    assert.equal(parts.join(''), template);
  }
});

test('returns the host of a URL or template', () => {
  for (const [url, host] of [
    ['https://a.example:8080/b', 'a.example:8080'],
    ['https://{1|www}.a.example/b', '{1|www}.a.example'],
  ] as const)
    assert.equal(hostOf(url), host);
});
