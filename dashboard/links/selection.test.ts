import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countOf, extend, nothing, selectAll, toggle } from './selection.ts';
import { scrollTo, visibleRows } from './virtual.ts';

const rows = ['a', 'b', 'c', 'd', 'e'];

test('extends a range from the last selected row, in both directions', () => {
  const one = toggle(nothing, 'c');
  assert.deepEqual([...extend(one, rows, 'e').ids], ['c', 'd', 'e']);
  assert.deepEqual([...extend(extend(one, rows, 'e'), rows, 'a').ids].sort(), rows);
  assert.deepEqual([...toggle(one, 'c').ids], []);
  assert.deepEqual([...extend(nothing, rows, 'b').ids], ['b'], 'without an anchor, one link');
  assert.deepEqual(
    [...extend(toggle(nothing, 'gone'), rows, 'b').ids],
    ['gone', 'b'],
    'the anchor was deleted',
  );
});

test('"select all" selects loaded rows, then all matches, then none', () => {
  const loaded = selectAll(nothing, rows, 900);
  assert.deepEqual([countOf(loaded, 900), loaded.isAll], [5, false]);
  const all = selectAll(loaded, rows, 900);
  assert.deepEqual([countOf(all, 900), all.isAll], [900, true]);
  assert.equal(countOf(selectAll(all, rows, 900), 900), 0);
  assert.equal(selectAll(loaded, rows, 5).isAll, false, 'all matching links are loaded');
});

test('renders only the rows near the window out of 100,000', () => {
  const { from, to } = visibleRows(58 * 50_000, 900, 58, 100_000, 8);
  assert.ok(from > 49_980 && from <= 50_000 && to >= 50_016 && to < 50_040, `${from} to ${to}`);
  assert.deepEqual(visibleRows(-500, 900, 58, 3, 8), { from: 0, to: 3 });
  assert.deepEqual(visibleRows(0, 900, 58, 0, 8), { from: 0, to: 0 });
});

test('scrolls to a row that is out of view or behind the header or toolbar', () => {
  const view = { top: 1_000, height: 800, coveredTop: 40, coveredBottom: 90 };
  assert.equal(scrollTo(20, 58, 100, view), undefined);
  assert.equal(scrollTo(15, 58, 100, view), 15 * 58 + 100 - 40);
  assert.equal(scrollTo(27, 58, 100, view), 28 * 58 + 100 - 800 + 90);
});
