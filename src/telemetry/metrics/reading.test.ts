import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addUp, countsOf, type Reading } from './reading.ts';

const bounds = [0.1, 1];
const one: Reading = {
  linkfold_redirects_total: [
    { labels: { outcome: 'redirected' }, value: 5 },
    { labels: { outcome: 'unknown' }, value: 1 },
  ],
  linkfold_connections: [{ labels: {}, value: 3 }],
  linkfold_ready: [{ labels: {}, value: 1 }],
  linkfold_applier_lag_seconds: [{ labels: {}, value: 0.5 }],
  linkfold_redirect_duration_seconds: [{ labels: {}, value: { bounds, counts: [1, 2, 3], sum: 9 } }],
};
const other: Reading = {
  linkfold_redirects_total: [{ labels: { outcome: 'redirected' }, value: 7 }],
  linkfold_connections: [{ labels: {}, value: 4 }],
  linkfold_ready: [{ labels: {}, value: 0 }],
  linkfold_applier_lag_seconds: [{ labels: {}, value: 0.25 }],
  linkfold_redirect_duration_seconds: [{ labels: {}, value: { bounds, counts: [10, 20, 30], sum: 90 } }],
  linkfold_of_a_later_version_total: [{ labels: {}, value: 1 }],
};

test('several processes: counts are added up by label, gauges as they say, histograms range by range', () => {
  const sum = addUp([one, other]);
  const seen = Object.fromEntries(Object.keys(one).map((name) => [name, sum[name]]));
  assert.deepEqual(seen, {
    linkfold_redirects_total: [
      { labels: { outcome: 'redirected' }, value: 12 },
      { labels: { outcome: 'unknown' }, value: 1 },
    ],
    linkfold_connections: [{ labels: {}, value: 7 }],
    linkfold_ready: [{ labels: {}, value: 0 }],
    linkfold_applier_lag_seconds: [{ labels: {}, value: 0.5 }],
    linkfold_redirect_duration_seconds: [{ labels: {}, value: { bounds, counts: [11, 22, 33], sum: 99 } }],
  });
  assert.equal(Object.hasOwn(sum, 'linkfold_of_a_later_version_total'), false);
});

test('of a process that is gone, counts and histograms stay', () => {
  const kept = Object.entries(addUp([countsOf(one)])).filter(([, rows]) => rows.length > 0);
  assert.deepEqual(kept.map(([name]) => name).sort(), [
    'linkfold_redirect_duration_seconds',
    'linkfold_redirects_total',
  ]);
});
