import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stateOf } from './links.ts';

test('shows the status from the API if the link is disabled or scheduled, otherwise from its expiry', () => {
  const now = Date.parse('2027-03-01T12:00:00Z');
  for (const [link, state] of [
    [{}, 'active'],
    [{ expiresAt: null, status: 'active' }, 'active'],
    [{ expiresAt: '2027-04-01T12:00:00Z' }, 'active'],
    [{ expiresAt: '2027-03-08T12:00:00Z' }, 'soon'],
    [{ expiresAt: '2027-03-01T12:00:00Z' }, 'expired'],
    [{ expiresAt: '2027-03-08T12:00:00Z', status: 'disabled' }, 'disabled'],
    [{ expiresAt: null, status: 'scheduled' }, 'scheduled'],
    [{ expiresAt: null, status: 'exhausted' }, 'exhausted'],
    // The link's expiry was just removed, so its status is outdated.
    [{ expiresAt: null, status: 'expired' }, 'active'],
  ] as const)
    assert.equal(stateOf(link, now), state, JSON.stringify(link));
});
