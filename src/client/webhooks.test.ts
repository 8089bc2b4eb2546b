import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { type WebhookEvent, webhooks } from './client.ts';

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const other = `whsec_${Buffer.alloc(24, 9).toString('base64')}`;
const body = JSON.stringify({
  type: 'folder.created',
  timestamp: '2027-03-01T09:00:00.000Z',
  data: { id: 'f', name: 'Frühling 🌷' },
});

/** Returns headers signed with the reference implementation of Standard Webhooks. */
function signed({ at = new Date(), secrets = [secret], text = body, id = 'evt_1' } = {}) {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': secrets.map((one) => new Webhook(one).sign(id, at, text)).join(' '),
  };
}

test('verify returns the event of a correctly signed request', async () => {
  const headers = signed();
  const upper = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]),
  );
  const lists = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]));
  for (const given of [headers, upper, lists, new Headers(headers), signed({ secrets: [other, secret] })])
    for (const raw of [body, Buffer.from(body), new TextEncoder().encode(body)])
      assert.deepEqual(await webhooks.verify(raw, given, secret), JSON.parse(body));
  for (const seconds of [-290, 290])
    await webhooks.verify(body, signed({ at: new Date(Date.now() + seconds * 1_000) }), secret);
  const event: WebhookEvent = await webhooks.verify(body, headers, secret);
  const name: string | undefined = event.type === 'folder.created' ? event.data.name : undefined;
  assert.equal(name, 'Frühling 🌷');
});

test('verify rejects unsigned, old and modified requests', async () => {
  const headers = signed();
  const without = (name: string) =>
    Object.fromEntries(Object.entries(headers).filter(([one]) => one !== name));
  const cases: readonly (readonly [string, Parameters<typeof webhooks.verify>[1]])[] = [
    [`${body} `, headers],
    [body.replace('Fr', 'fr'), headers],
    [body, signed({ secrets: [other] })],
    [body, { ...headers, 'webhook-id': 'evt_2' }],
    [body, { ...headers, 'webhook-timestamp': String(Number(headers['webhook-timestamp']) + 1) }],
    [body, { ...headers, 'webhook-timestamp': 'now' }],
    [body, { ...headers, 'webhook-signature': headers['webhook-signature'].replace('v1,', 'v2,') }],
    [body, { ...headers, 'webhook-signature': headers['webhook-signature'].slice(0, -4) }],
    [body, { ...headers, 'webhook-signature': 'v1,' }],
    [body, signed({ at: new Date(Date.now() - 310_000) })],
    [body, signed({ at: new Date(Date.now() + 310_000) })],
    ...Object.keys(headers).map((name) => [body, without(name)] as const),
    [body, {}],
  ];
  for (const [raw, given] of cases)
    await assert.rejects(webhooks.verify(raw, given, secret), { code: 'INVALID_SIGNATURE' });
});

test('verify explains invalid arguments', async () => {
  const parsed = JSON.parse(body) as string;
  await assert.rejects(webhooks.verify(parsed, signed(), secret), /^TypeError: body must be the raw/);
  for (const bad of ['', 'whsec_', 'whsec_%%'])
    await assert.rejects(webhooks.verify(body, signed(), bad), /^TypeError: secret must be/);
});
