import { join } from 'node:path';
import { test } from 'node:test';
import { useEverySetting } from './every-setting.ts';

// Tests settings in the built program. test/installation/executable.test.ts tests them in the standalone executable.

const timeout = 300_000;

test('the built program accepts every setting', { timeout }, () =>
  useEverySetting([
    process.execPath,
    '--expose-gc',
    join(import.meta.dirname, '..', '..', 'dist', 'main.js'),
  ]),
);
