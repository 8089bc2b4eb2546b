import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const root = join(import.meta.dirname, '../..');

test('each test file is run by exactly one script', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    readonly scripts: Readonly<Record<string, string>>;
  };
  const run = ['test:sqlite', 'test:browser', 'test:long', 'test:pace'].flatMap((name) => {
    const patterns = (scripts[name] ?? '').split(' ').filter((word) => word.includes('.test.ts'));
    assert.ok(patterns.length > 0, name);
    return globSync(
      patterns.map((pattern) => pattern.replaceAll("'", '')),
      { cwd: root },
    );
  });
  assert.deepEqual(run.toSorted(), globSync('{src,dashboard,test}/**/*.test.ts', { cwd: root }).toSorted());
});
