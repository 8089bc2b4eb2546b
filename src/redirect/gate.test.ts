import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { targetOf } from '../clicks/clicks.fixtures.ts';
import { createLimiter } from '../model/accounts/limits.ts';
import { plainValues } from '../model/links/link-field-values.ts';
import { isValidProof, proofOf } from '../model/links/passwords.ts';
import type { SpecialLink } from './admission.ts';
import { createGate } from './gate.ts';
import type { Visit } from './visit.ts';

const plain = { ...plainValues, password: 'hash' };
function linkWith(special: Partial<SpecialLink['special']> = {}, row = 1): SpecialLink {
  return { ...targetOf(row), special: { ...plain, ...special } };
}

interface Sent {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

let now = 0;
let checks: string[] = [];
/** Fake password check that accepts only the password `right`. */
const passwords = {
  async isRight(_of: unknown, password: string, _stored: string, turn?: () => void) {
    turn?.();
    checks.push(password);
    return password === 'right';
  },
};
function gateAt(baseUrl = 'https://sho.rt') {
  const [wrongByAddress, wrongByLink] = [600_000, 3_600_000].map((ms) => createLimiter(() => now, ms));
  assert.ok(wrongByAddress && wrongByLink);
  return createGate({ passwords, wrongByAddress, wrongByLink, now: () => now, baseUrl: () => baseUrl });
}
beforeEach(() => {
  now = 7_200_000;
  checks = [];
});

/** Creates a visit, and records the responses sent to it. */
function visitOf({
  method = 'GET',
  form = '',
  cookie = '',
  address = '203.0.113.7' as string | undefined,
  target = '/sale?a=1',
} = {}) {
  const sent: Sent[] = [];
  const visit = {
    method,
    target,
    root: '',
    cookies: () => cookie,
    address: () => address,
    form: async () => new URLSearchParams(form),
    send: (status: number, headers: Sent['headers']) => void sent.push({ status, headers }),
  } as unknown as Visit;
  return { visit, sent };
}
const typed = (password: string, more = {}) =>
  visitOf({ method: 'POST', form: `password=${password}`, ...more });

describe('links with a password', () => {
  test("sets a cookie for the link's path on the right password, which allows visits for an hour", async () => {
    const gate = gateAt();
    const link = linkWith();
    const { visit, sent } = typed('right', { target: 'http://sho.rt/Sale/?a=1&b=%20' });
    assert.equal(await gate.pass(visit, false, link), false);
    const [{ status, headers } = { status: 0, headers: {} as Sent['headers'] }] = sent;
    assert.deepEqual([status, headers['location']], [303, '/Sale?a=1&b=%20']);
    const [pair = '', ...attributes] = headers['set-cookie']?.split('; ') ?? [];
    assert.deepEqual(attributes, ['Max-Age=3600', 'HttpOnly', 'SameSite=Lax', 'Secure', 'Path=/Sale']);

    const cookie = `a=b; ${pair}; c=d`;
    assert.equal(await gate.pass(visitOf({ cookie }).visit, false, link), true);
    const refused = { code: 'PASSWORD_REQUIRED' };
    const other = linkWith({}, 2);
    await assert.rejects(
      gate.pass(visitOf({ cookie }).visit, false, other),
      refused,
      'the cookie of another link',
    );
    const covering = `linkfold_pass=${'1'.repeat(10)}.${'A'.repeat(43)}`;
    const deeper = visitOf({ cookie: `${covering}; ${pair}`, target: '/sale/spring' });
    assert.equal(await gate.pass(deeper.visit, false, link), true, 'after the cookie of a parent path');
    const changed = linkWith({ password: 'another hash' });
    await assert.rejects(gate.pass(visitOf({ cookie }).visit, false, changed), refused, 'a new password');
    const [until = '', proof = ''] = pair.split('=')[1]?.split('.') ?? [];
    for (const forged of [
      `${Number(until) + 1}.${proof}`,
      `${until}.${'A'.repeat(43)}`,
      `0${until}.${proof}`,
      '',
      'x',
    ])
      await assert.rejects(
        gate.pass(visitOf({ cookie: `linkfold_pass=${forged}` }).visit, false, link),
        refused,
      );
    const inQuery = visitOf({ target: `/sale?${pair}&password=right` });
    await assert.rejects(gate.pass(inQuery.visit, false, link), refused, 'never from the query');
    const inSegments = typed('right', { target: '/Shop/%C3%A9/?a=1' });
    await gate.pass(inSegments.visit, false, link);
    assert.equal(inSegments.sent[0]?.headers['location'], '/Shop/%C3%A9?a=1');
    assert.match(inSegments.sent[0]?.headers['set-cookie'] ?? '', /; Path=\/Shop\/%C3%A9$/);
    now += 3_600_000;
    await assert.rejects(gate.pass(visitOf({ cookie }).visit, false, link), refused, 'an hour later');
    assert.deepEqual(checks, ['right', 'right']);
    await gateAt('http://127.0.0.1').pass(typed('right').visit, false, link);
  });

  test('costs one check per attempt, and limits wrong ones by address and by link', async () => {
    const gate = gateAt();
    const link = linkWith();
    const attempt = (password: string, address: string | undefined = '203.0.113.7', of = link) =>
      gate.pass(typed(password, { address }).visit, false, of).then(
        () => 'right',
        (error: { code: string }) => error.code,
      );
    for (const password of ['', 'wrong', 'right']) await attempt(password);
    assert.deepEqual(checks, ['', 'wrong', 'right']);
    for (let n = 0; n < 8; n += 1) assert.equal(await attempt('wrong'), 'WRONG_PASSWORD');
    assert.equal(await attempt('right'), 'RATE_LIMIT_EXCEEDED', 'ten were wrong');
    assert.equal(await attempt('right', '198.51.100.1'), 'right', 'another address');
    assert.equal(await attempt('right', '203.0.113.7', linkWith({}, 2)), 'right', 'another link');
    now += 600_000;
    assert.equal(await attempt('right'), 'right', 'ten minutes later');

    for (let n = 0; n < 90; n += 1) assert.equal(await attempt('wrong', `192.0.2.${n}`), 'WRONG_PASSWORD');
    assert.equal(await attempt('right', '198.51.100.7'), 'right', 'others gave a hundred wrong ones');
    assert.equal(await attempt('right', '192.0.2.1'), 'right', 'also after one of its own');
    assert.equal(await attempt('wrong', '192.0.2.1'), 'WRONG_PASSWORD');
    assert.equal(await attempt('right', '192.0.2.1'), 'RATE_LIMIT_EXCEEDED', 'but not after two');
    for (let n = 0; n < 9; n += 1) await attempt('wrong', `2001:db8:1:${n}::/64`);
    assert.equal(
      await attempt('right', '2001:db8:1:77::/64'),
      'RATE_LIMIT_EXCEEDED',
      'one customer with a /48',
    );
    assert.equal(await attempt('right', '2001:db8:2:77::/64'), 'right');

    while ((await attempt('wrong', `2001:db8:${checks.length}::/64`)) === 'WRONG_PASSWORD');
    const before = checks.length;
    assert.equal(
      await attempt('right', '198.51.100.9'),
      'RATE_LIMIT_EXCEEDED',
      'a thousand wrong ones for the link',
    );
    const unlimited = typed('right', { address: undefined });
    Object.assign(unlimited.visit, { address: () => undefined });
    await assert.rejects(gate.pass(unlimited.visit, false, link), {
      code: 'RATE_LIMIT_EXCEEDED',
      facts: { retryAfterSeconds: 3_000 },
    });
    assert.equal(checks.length, before, 'beyond a limit, no password is checked');
  });

  test('presses the button of a one-time link with a form without a password, and of no other link', async () => {
    const gate = gateAt();
    const stored = 'hash';
    const proof = proofOf(linkWith().id, stored, now / 1_000 + 60);
    assert.ok(isValidProof(proof, linkWith().id, stored, now / 1_000));
    const pressed = () => visitOf({ method: 'POST', cookie: `linkfold_pass=${proof}` });
    const once = linkWith({ maxClicks: 1 });
    assert.equal(await gate.pass(pressed().visit, false, once), true);
    for (const [link, preview] of [
      [once, true],
      [linkWith(), false],
    ] as const) {
      const { visit, sent } = pressed();
      assert.equal(await gate.pass(visit, preview, link), false);
      assert.equal(sent[0]?.status, 303);
    }
    const twice = typed('right', { cookie: `linkfold_pass=${proof}` });
    assert.equal(
      await gate.pass(twice.visit, false, once),
      false,
      'submitting the form twice uses up no click',
    );
  });

  test('protects only live links with a password', () => {
    const gate = gateAt();
    assert.equal(gate.guards(linkWith(), now), true);
    assert.equal(gate.guards(linkWith({ startsAt: now + 1 }), now + 1), true, 'as it begins');
    for (const special of [{ password: null }, { disabled: 1 }, { startsAt: now + 1 }])
      assert.equal(gate.guards(linkWith(special), now), false);
  });
});
