import assert from 'node:assert/strict';
import test from 'node:test';
import { type Endpoint, isWrite, takesIdempotencyKey } from './endpoint.ts';
import { endpoints } from './endpoints/endpoints.ts';

test('records an actor for every request except GET, unless it changes nothing', () => {
  const all: [string, Endpoint][] = Object.entries(endpoints);
  const others = all.filter(([, { method }]) => method !== 'GET');
  assert.deepEqual(
    others.filter(([, endpoint]) => !isWrite(endpoint)).map(([name]) => name),
    others.filter(([, { changes }]) => changes === false).map(([name]) => name),
  );
  const changing = ['addPasskey', 'connectIdentity', 'answerDevice', 'acceptInvitation', 'signInByPasskey'];
  for (const [name, endpoint] of all.filter(([each]) => changing.includes(each))) {
    assert.ok(isWrite(endpoint), name);
    assert.ok(!takesIdempotencyKey(endpoint), `${name}: its response counts once`);
  }
});
