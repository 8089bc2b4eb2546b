import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changeLines } from './history.ts';

test('prints a value with line breaks on one line', () => {
  const lines = changeLines({ description: { from: null, to: 'a\nb' }, title: { from: 'Old', to: 'New' } });
  assert.deepEqual(lines, ['     description: none -> "a\\nb"', '     title: Old -> New']);
});
