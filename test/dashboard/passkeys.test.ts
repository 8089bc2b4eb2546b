import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, CDPSession, Page } from 'playwright-core';
import { openBrowser, whyNoBrowser } from '../support/http/browser.ts';
import { violationsOn } from '../support/http/dashboard.ts';
import { ageSessions } from '../support/server/aged.ts';
import { asBrowser } from '../support/server/members.ts';
import { makeInvitation } from '../support/server/records.ts';
import { type Answer, as, call, type Server, startServer } from '../support/server/server.ts';

const pictures = process.env['LINKFOLD_PICTURES'];

const codeOf = ({ status, json }: Answer): string => `${status} ${json?.error?.code ?? ''}`.trim();

describe('passkeys', { skip: whyNoBrowser() ?? false }, () => {
  let server: Server;
  let browser: Browser;
  /** Origin with a host name, because passkeys do not work with IP addresses. */
  let site: string;
  before(async () => {
    [server, browser] = await Promise.all([startServer(), openBrowser()]);
    site = `http://localhost:${server.port}`;
  });
  after(async () => {
    await browser.close();
    await server.stop();
  });

  /** Opens a window with an authenticator that verifies its user automatically. */
  const openDevice = async (): Promise<{ page: Page; device: CDPSession; id: string }> => {
    const context = await browser.newContext({ locale: 'en-GB' });
    const page = await context.newPage();
    const device = await context.newCDPSession(page);
    await device.send('WebAuthn.enable');
    const { authenticatorId: id } = await device.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    return { page, device, id };
  };
  const look = async (page: Page, name: string) => {
    assert.deepEqual(await violationsOn(page), [], name);
    if (pictures !== undefined) await page.screenshot({ path: `${pictures}/${name}.png` });
  };
  const joinAs = async (page: Page, api: Parameters<typeof makeInvitation>[0], name: string) => {
    const { token } = await makeInvitation(api, 'editor');
    await page.goto(`${site}/dashboard/join#${token}`);
    await page.getByLabel('Your name').fill(name);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Sign in faster with a passkey' }).waitFor();
  };
  const cookieOf = async (page: Page): Promise<string> => {
    const [one] = await page.context().cookies(site);
    return `${one?.name}=${one?.value}`;
  };
  /**
   * Returns the authenticator's response, which the page would send to the server.
   * @param how `get` to sign in, `create` for a new passkey
   */
  const answerOf = (page: Page, how: 'get' | 'create' = 'get'): Promise<Record<string, unknown>> => {
    const path = how === 'get' ? '/api/v1/session/passkey-options' : '/api/v1/passkeys/options';
    const read = how === 'get' ? 'parseRequestOptionsFromJSON' : 'parseCreationOptionsFromJSON';
    // A string, because tests are compiled without DOM types.
    return page.evaluate(`(async () => {
      const sent = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' };
      const { data } = await (await fetch('${path}', sent)).json();
      const publicKey = PublicKeyCredential.${read}(data);
      return (await navigator.credentials.${how}({ publicKey })).toJSON();
    })()`);
  };
  const send = (response: unknown, origin = site) =>
    call(server, 'POST', '/api/v1/session/passkey', {
      body: { response },
      headers: { origin, host: new URL(site).host },
    });

  test('joins, adds a passkey, signs out, signs in without a name; names and removes a second one', async () => {
    const { key } = await server.newKey();
    const { page } = await openDevice();
    await joinAs(page, as(server, key), 'Ada Lovelace');
    await look(page, 'passkey-offer');
    await page.getByRole('button', { name: 'Add passkey' }).click();
    await page
      .getByRole('heading', { name: 'Needs attention' })
      .or(page.getByText('in three steps'))
      .first()
      .waitFor();
    await page.goto(`${site}/dashboard/settings`);
    await page.getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Ada’s laptop');
    await page.keyboard.press('Control+Enter');
    await page.getByText('Ada’s laptop').waitFor();
    await look(page, 'passkey-settings');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor();
    await look(page, 'passkey-sign-in');
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByText('Ada Lovelace · Editor').waitFor();
    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByText('Passkey removed').waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByText('The passkey was not accepted').waitFor();
  });

  test('asks for the passkey again before a change that cannot be undone; cancels if denied', async () => {
    const { key } = await server.newKey();
    const { page } = await openDevice();
    await joinAs(page, as(server, key), 'Ada Lovelace');
    await page.getByRole('button', { name: 'Add passkey' }).click();
    await page.waitForURL((url) => url.pathname === '/dashboard');
    await page.goto(`${site}/dashboard/settings`);
    const remove = page.getByRole('button', { name: 'Remove', exact: true });
    await remove.waitFor();
    await ageSessions(server);
    const before = await cookieOf(page);
    await remove.click();
    const dialog = page.getByRole('dialog', { name: 'Confirm it’s you' });
    await dialog.waitFor();
    await look(page, 'again');
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.setViewportSize({ width: 390, height: 844 });
    await look(page, 'again-phone-dark');
    await page.setViewportSize({ width: 1280, height: 720 });
    await dialog.getByRole('button', { name: 'Close' }).click();
    await page.getByText('Sign in again to continue').waitFor();
    await remove.click();
    await dialog.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByText('Passkey removed').waitFor();
    assert.equal(await dialog.count(), 0);
    assert.notEqual(await cookieOf(page), before, 'another session');
    const old = await asBrowser({ url: site }, before).get('/session');
    assert.equal(codeOf(old), '401 INVALID_SESSION');
  });

  test('switches the account in the menu, in every tab, and back; signs out of all', async () => {
    const [home, work, third] = [await server.newKey(), await server.newKey(), await server.newKey()];
    const { page } = await openDevice();
    await joinAs(page, as(server, home.key), 'Ada');
    // Leaves the page first, because a navigation that changes only the fragment would not reload it.
    await page.goto('about:blank');
    await joinAs(page, as(server, work.key), 'A. Lovelace');
    await page.goto(`${site}/dashboard/settings`);
    const tab = await page.context().newPage();
    await tab.goto(`${site}/dashboard/settings`);
    await tab.getByText('A. Lovelace · Editor').waitFor();
    await page.getByRole('link', { name: 'A. Lovelace', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Switch account' });
    await dialog.getByText('Current account').waitFor();
    await look(page, 'accounts');
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.setViewportSize({ width: 390, height: 844 });
    await look(page, 'accounts-phone-dark');
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize({ width: 1280, height: 720 });
    await dialog.getByRole('button', { name: `Switch to ${home.account}` }).click();
    await page.getByRole('link', { name: 'Ada', exact: true }).waitFor();
    assert.equal(new URL(page.url()).pathname, '/dashboard');
    await tab.getByText('Ada · Editor').waitFor();
    await page.getByRole('link', { name: 'Ada', exact: true }).click();
    await dialog.getByRole('button', { name: 'Sign in to another account' }).click();
    await page.getByRole('dialog').getByLabel('API key').fill(third.key);
    await look(page, 'accounts-another');
    await page.getByRole('dialog').getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('link', { name: third.account, exact: true }).click();
    await dialog.getByRole('button', { name: 'Sign out of all accounts' }).click();
    await page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor();
    assert.deepEqual(await page.context().cookies(site), []);
  });

  test('approves a program by the code that it shows', async () => {
    const { key } = await server.newKey();
    const { page } = await openDevice();
    await joinAs(page, as(server, key), 'Ada Lovelace');
    const begun = await call(server, 'POST', '/api/v1/devices', { body: { name: 'linkfold on laptop' } });
    const { userCode, deviceCode } = begun.json.data;
    await page.goto(`${site}/dashboard/device`);
    await page.getByLabel('Enter the code shown on the device').fill('BBBB-BBBB');
    await page.keyboard.press('Enter');
    await page.getByText('This code is not valid.').waitFor();
    await look(page, 'device-code');
    await page.goto(`${site}/dashboard/device?code=${userCode}`);
    await page.getByText('linkfold on laptop').waitFor();
    await look(page, 'device');
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.setViewportSize({ width: 390, height: 844 });
    await look(page, 'device-phone-dark');
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByText('Device authorized.').waitFor();
    const taken = await call(server, 'POST', '/api/v1/devices/token', { body: { deviceCode } });
    assert.equal(taken.json.data.status, 'approved');
  });

  test("counts failures with a member's passkeys together, and separately from others", async () => {
    const { key } = await server.newKey();
    const { page } = await openDevice();
    await joinAs(page, as(server, key), 'Guessed');
    await page.getByRole('button', { name: 'Add passkey' }).click();
    await page.waitForURL((url) => url.pathname === '/dashboard');
    const good = await answerOf(page);
    for (const response of [
      { ...good, response: {} },
      { id: 'of nobody', response: {} },
    ]) {
      const answers = new Set<string>();
      // Makes more attempts than the limit, because the rate limit's window may end during the loop.
      for (let n = 0; n < 45 && !answers.has('429 RATE_LIMIT_EXCEEDED'); n += 1)
        answers.add(codeOf(await send(response)));
      assert.deepEqual([...answers], ['403 PASSKEY_REFUSED', '429 RATE_LIMIT_EXCEEDED']);
    }
    const other = await openDevice();
    await joinAs(other.page, as(server, key), 'Nobody else');
    await other.page.getByRole('button', { name: 'Add passkey' }).click();
    await other.page.waitForURL((url) => url.pathname === '/dashboard');
    assert.equal((await send(await answerOf(other.page))).status, 201);
  });

  test('accepts a response once, for its origin, member and key, and reveals nothing when rejecting', async () => {
    const { key } = await server.newKey();
    const api = as(server, key);
    const { page } = await openDevice();
    await joinAs(page, api, 'Victim');
    await page.getByRole('button', { name: 'Add passkey' }).click();
    await page.waitForURL((url) => url.pathname === '/dashboard');
    const victim = asBrowser({ url: site }, await cookieOf(page));
    const [{ id }] = (await victim.get('/passkeys')).json.data;
    await page.context().clearCookies();
    await page.goto(`${site}/dashboard`);
    const answers = [];
    for (let n = 0; n < 5; n += 1) answers.push(await answerOf(page));
    const [good, foreign, bent, unknown, other] = answers as Record<string, never>[];
    assert.equal((await send(good)).status, 201);
    assert.equal(codeOf(await send(good)), '403 PASSKEY_REFUSED', 'a second time');
    assert.equal(codeOf(await send(foreign, 'https://evil.example')), '403 CROSS_SITE_REQUEST');
    const inner = bent?.['response'] as unknown as Record<string, string>;
    const signature = inner['signature'] ?? '';
    const flipped = {
      ...bent,
      response: {
        ...inner,
        signature: signature
          .replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))
          .replace(/^./, 'M')
          .replace(/.{4}$/, 'AAAA'),
      },
    };
    assert.equal(codeOf(await send(flipped)), '403 PASSKEY_REFUSED', 'an invalid signature');
    assert.equal(codeOf(await send(bent)), '403 PASSKEY_REFUSED', 'that attempt used up the challenge');
    assert.equal(codeOf(await send({ ...unknown, id: 'AAAA', rawId: 'AAAA' })), '403 PASSKEY_REFUSED');
    const data = JSON.stringify({ type: 'webauthn.get', challenge: 'A'.repeat(43), origin: site });
    const forged = {
      ...other,
      response: { ...inner, clientDataJSON: Buffer.from(data).toString('base64url') },
    };
    assert.equal(codeOf(await send(forged)), '403 PASSKEY_REFUSED', 'a challenge that was never issued');
    for (const nothing of [{}, { id: 5 }, { id: 'x', response: null }, { response: { clientDataJSON: '%' } }])
      assert.equal(codeOf(await send(nothing)), '403 PASSKEY_REFUSED');

    // A member can neither use another member's challenge nor change their passkeys.
    const thief = await openDevice();
    await joinAs(thief.page, api, 'Thief');
    const asThief = asBrowser({ url: site }, await cookieOf(thief.page));
    assert.deepEqual((await asThief.get('/passkeys')).json.data, []);
    assert.equal(codeOf(await asThief.send('DELETE', `/passkeys/${id}`)), '404 PASSKEY_NOT_FOUND');
    assert.equal(
      codeOf(await asThief.send('PATCH', `/passkeys/${id}`, { name: 'mine' })),
      '404 PASSKEY_NOT_FOUND',
    );
    const registration = { name: 'stolen', response: await answerOf(thief.page, 'create') };
    const third = await openDevice();
    await joinAs(third.page, api, 'Third');
    const asThird = asBrowser({ url: site }, await cookieOf(third.page));
    assert.equal(
      codeOf(await asThird.send('POST', '/passkeys', registration)),
      '403 PASSKEY_REFUSED',
      'of somebody else',
    );
    assert.equal(
      codeOf(await asThief.send('POST', '/passkeys', registration)),
      '403 PASSKEY_REFUSED',
      'it is used up',
    );

    // A session that was started with a key has no passkeys.
    assert.equal(codeOf(await api.get('/api/v1/passkeys')), '403 INSUFFICIENT_SCOPE');
    // A removed member can no longer sign in.
    const last = await answerOf(page);
    const members = (await api.get('/api/v1/members')).json.data as { id: string; name: string }[];
    await api.delete(`/api/v1/members/${members.find(({ name }) => name === 'Victim')?.id}`);
    assert.equal(codeOf(await send(last)), '403 PASSKEY_REFUSED');
  });

  test('explains why a dashboard at an IP address has no passkeys', async () => {
    const asked = await call(server, 'POST', '/api/v1/session/passkey-options', {
      headers: { origin: server.url },
    });
    assert.equal(codeOf(asked), '403 PASSKEY_REFUSED');
    assert.match(asked.json.error.message, /host name/);
  });
});
