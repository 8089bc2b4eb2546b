import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const root = join(import.meta.dirname, '..', '..');
const rows = readFileSync(join(root, 'docs', 'security', 'asvs.md'), 'utf8')
  .split('\n')
  .filter((line) => /^\| \d/.test(line))
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([, item = '', , here = '', held = '']) => ({ item, here, held }));

/** Number of requirements at levels 1 and 2 in each section of ASVS 5.0.0, by chapter. */
const sections: Readonly<Record<number, readonly number[]>> = {
  1: [2, 9, 11, 3, 2],
  2: [3, 3, 4, 1],
  3: [0, 2, 4, 6, 5, 0, 2],
  4: [3, 1, 2, 4],
  5: [1, 3, 2, 3],
  6: [3, 12, 4, 4, 5, 3, 0, 4],
  7: [3, 4, 2, 5, 2, 2],
  8: [2, 3, 1, 1],
  9: [3, 4],
  10: [2, 2, 4, 11, 5, 2, 3],
  11: [2, 3, 3, 4, 1, 1],
  12: [3, 2, 4],
  13: [1, 5, 2, 5],
  14: [2, 4, 3],
  15: [3, 3, 7],
  16: [1, 5, 4, 3, 3],
  17: [1, 4, 2],
};

test('lists every requirement of levels 1 and 2 once, in order; a section that does not apply has one row', () => {
  const whole = new Set(
    rows
      .filter(({ item, here }) => /^\d+\.\d+$/.test(item) && here.startsWith('Not applicable: '))
      .map(({ item }) => item),
  );
  const all = Object.entries(sections).flatMap(([chapter, counts]) =>
    counts.flatMap((count, n) => {
      const section = `${chapter}.${n + 1}`;
      if (whole.has(section)) return [section];
      return Array.from({ length: count }, (_, index) => `${section}.${index + 1}`);
    }),
  );
  assert.deepEqual(
    rows.map(({ item }) => item),
    all,
  );
});
/**
 * Asserts that the tests named in a row exist.
 * @returns the number of tests named
 */
function requireTests(row: string, held: string): number {
  const named = [...held.matchAll(/`([^`]+)`: “([^”]+)”/g)];
  assert.equal(named.length, held === '' ? 0 : held.split('<br>').length, row);
  for (const [, file = '', title = ''] of named) {
    assert.ok(existsSync(join(root, file)), `${row}: ${file}`);
    const titles = [...readFileSync(join(root, file), 'utf8').matchAll(/\btest\(\s*(['"`])(.*?)\1,/g)];
    assert.ok(
      titles.some(([, , one = '']) => one.includes(title)),
      `${row}: ${file} has no test “${title}”`,
    );
  }
  return named.length;
}

test('names existing tests for every item, or the reason for none', () => {
  for (const { item, here, held } of rows) {
    const isSaid = /^(?:Documented|Not applicable|Not met|Partly met|By construction): ?\S/.test(here);
    assert.ok(requireTests(item, held) > 0 || isSaid, `${item} has no test`);
  }
});

test('names a limit with a test for every shared resource, or says that it has none', () => {
  const text = readFileSync(join(root, 'docs', 'security', 'fairness.md'), 'utf8');
  const shared = text.split('\n').filter((line) => /^\| (?!Resource)\S/.test(line));
  assert.ok(shared.length > 20);
  for (const line of shared) {
    const [, resource = '', bound = '', held = ''] = line.split('|').map((cell) => cell.trim());
    assert.ok(requireTests(resource, held) > 0 || bound.includes('Not bounded'), `${resource} has no test`);
  }
});
