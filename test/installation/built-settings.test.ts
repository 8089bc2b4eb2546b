import { join } from 'node:path';
import { test } from 'node:test';
import { useEverySetting } from './every-setting.ts';

// test/installation/executable.test.ts does the same with the standalone executable.

const timeout = 300_000;

test('the built program accepts every setting', { timeout }, () =>
  useEverySetting([
    process.execPath,
    '--expose-gc',
    join(import.meta.dirname, '..', '..', 'dist', 'main.js'),
  ]),
);
