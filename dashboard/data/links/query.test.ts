import assert from 'node:assert/strict';
import { test } from 'node:test';
import { filterChange, flipTag, narrows, readQuery, sortChange, splitByHits, toInput } from './query.ts';
import { queryOfList, readViews } from './saved-views.ts';

const read = (text: string) => readQuery(new URLSearchParams(text));

test('shows a list for any URL and ignores invalid parameters', () => {
  const odd = read('sort=weight:up&status=great&since=yesterday&until=2026-02-30T10&folder=&q=');
  assert.deepEqual(toInput(odd), { archived: 'false' });
  assert.equal(narrows(odd), false);
  assert.equal(narrows(read('tag=print')), true);
});

test("derives the API query from the URL, with days in the user's time zone", () => {
  const input = toInput(
    read(
      'q=+herbst &sort=clicks&folder=f1&tag=print&since=2026-03-01&until=2026-03-31&host=A.example&domain=Go.example.com',
    ),
  );
  assert.deepEqual(input, {
    sort: 'clicks',
    order: 'desc',
    archived: 'false',
    search: 'herbst',
    folderId: 'f1',
    tag: 'print',
    destinationHost: 'a.example',
    domain: 'go.example.com',
    createdAfter: new Date(2026, 2, 1).toISOString(),
    createdBefore: new Date(2026, 3, 1).toISOString(),
  });
});

test('lists archived links only', () => {
  assert.deepEqual(toInput(read('status=archived')), { archived: 'true' });
  assert.deepEqual(toInput(read('status=expired')), { archived: 'false', status: 'expired' });
});

test('queries excluded tags, and inverts a tag filter', () => {
  const without = read('tag=print&not=tag');
  assert.deepEqual(toInput(without), { archived: 'false', tag: 'print', tagMatch: 'none' });
  assert.deepEqual([flipTag(without), flipTag(read('tag=print'))], [{ not: null }, { not: 'tag' }]);
  assert.deepEqual(filterChange('tag', null), { tag: null, not: null });
  assert.equal(narrows(read('not=tag')), false);
});

test('puts the sort order into the URL only if it is not the default', () => {
  assert.deepEqual(sortChange('createdAt', 'desc'), { sort: null });
  assert.deepEqual(sortChange('title', 'asc'), { sort: 'title' });
  assert.deepEqual(sortChange('clicks', 'asc'), { sort: 'clicks:asc' });
  assert.equal(read('sort=clicks:asc').order, 'asc');
  assert.equal(read('sort=expiresAt').order, 'asc');
});

test('highlights matching words, whatever characters they contain', () => {
  assert.deepEqual(splitByHits('Herbst (2026)', 'her (20'), ['', 'Her', 'bst ', '(20', '26)']);
  assert.deepEqual(splitByHits('plain', '  '), ['plain']);
});

test('stores the list part of the URL as a saved view and ignores invalid views', () => {
  assert.equal(queryOfList(new URLSearchParams('tag=print&new&q=a&part=rules')), '?q=a&tag=print');
  assert.equal(queryOfList(new URLSearchParams('new&url=x')), '');
  const kept = JSON.stringify([{ name: 'A', query: '?q=a' }, { name: 1 }, 'x', {}]);
  assert.deepEqual(readViews(kept), [{ name: 'A', query: '?q=a' }]);
  for (const odd of [undefined, 'no json', '{}', 'null']) assert.deepEqual(readViews(odd), []);
});
