import assert from 'node:assert/strict';
import { test } from 'node:test';
import { channelNamed, channelsFrom, codeOf, codePart, repeatedIn, utmOf } from './channels.ts';

test('lists templates first; they replace the default channel of their source', () => {
  const template = { id: '1', name: 'Our newsletter', utm: { source: 'newsletter', medium: 'mail' } };
  const channels = channelsFrom([template], { poster: 'Plakat' });
  assert.deepEqual(channels.map(({ name, isOn }) => [name, isOn]).slice(0, 4), [
    ['Our newsletter', true],
    ['Plakat', true],
    ['instagram', true],
    ['linkedin', false],
  ]);
});

test('builds a code from campaign and channel in plain letters', () => {
  assert.equal(codeOf({ name: 'Plakat München' }, ' Frühling 2027! '), 'fruehling-2027-plakat-muenchen');
  assert.equal(codeOf({ name: 'Poster' }, ''), '');
  assert.equal(codeOf({ name: 'Poster', typed: ' mine ' }, 'Spring'), 'mine');
  assert.ok(codePart('x'.repeat(100)).length <= 24);
});

test('sets utm_campaign in the usual spelling', () => {
  assert.deepEqual(utmOf({ utm: { source: 'poster', medium: 'print' } }, 'Spring Sale'), {
    source: 'poster',
    medium: 'print',
    campaign: 'spring_sale',
  });
});

test('finds selected channels with the same code, case-insensitively', () => {
  const a = { key: 'a', name: 'A', utm: {}, isOn: true, typed: 'Same' };
  const b = { key: 'b', name: 'B', utm: {}, isOn: true, typed: 'same' };
  assert.deepEqual([...repeatedIn([a, b], '')], ['a', 'b']);
  assert.deepEqual([...repeatedIn([a, { ...b, isOn: false }], '')], []);
});

test('rejects a channel name without a letter or digit', () => {
  assert.equal(channelNamed(' -- '), undefined);
  assert.equal(channelNamed('Podcast A')?.utm.source, 'podcast_a');
});
