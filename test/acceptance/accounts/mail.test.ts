// Invitations and sign-in links by email, through a real SMTP server.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  type MailServer,
  mailPassword,
  mailUser,
  openMailServer,
  type Received,
} from '../../support/mail/mail-server.ts';
import { newMember } from '../../support/server/members.ts';
import { type Answer, as, call, type Server, startServer } from '../../support/server/server.ts';

const codeOf = ({ status, json }: Answer): string => `${status} ${json?.error?.code ?? ''}`.trim();
const tokenIn = (url: string): string => new URL(url).hash.slice(1);

describe('mail', () => {
  let mail: MailServer;
  let server: Server;
  const address = () =>
    `smtp://${encodeURIComponent(mailUser)}:${encodeURIComponent(mailPassword)}@127.0.0.1:${mail.port}`;
  before(async () => {
    mail = await openMailServer();
    server = await startServer({ SMTP_URL: address(), MAIL_FROM: 'Linkfold <links@example.com>' });
  });
  after(async () => {
    await server.stop();
    await mail.close();
  });

  const newAccount = async () => {
    const made = await server.newKey();
    return { ...made, api: as(server, made.key) };
  };
  const last = (): Received => {
    const letter = mail.received.at(-1);
    assert.ok(letter !== undefined, 'nothing came');
    return letter;
  };
  /** Asserts that the text and the HTML contain this URL and no other URL, and that there is no tracking image. */
  const assertHolds = ({ text, html, raw }: Received, url: string) => {
    assert.ok(text.includes(url), text);
    assert.ok(html.includes(`href="${url}"`), html);
    assert.deepEqual(new Set(html.match(/https?:\/\/[^\s"<]+/g)), new Set([url]));
    assert.ok(!/<(?:img|link|script|style|iframe)|src=|url\(/i.test(html), html);
    assert.equal(raw.match(/multipart\/alternative/g)?.length, 1);
  };

  test("sends an invitation by email, plain and HTML, with the inviter's name; it admits one person", async () => {
    const { api, account } = await newAccount();
    const grace = await newMember(server, api, 'owner', 'Grace Hopper');
    const made = await grace.send('POST', '/invitations', { role: 'editor', email: 'ada@example.com' });
    assert.equal(made.status, 201, made.text);
    assert.equal(made.json.data.mailed, true);
    const letter = last();
    assert.deepEqual(letter.to, ['ada@example.com']);
    assert.equal(letter.headers.get('from'), 'Linkfold <links@example.com>');
    assert.equal(letter.headers.get('subject'), `Invitation to ${account}`);
    assertHolds(letter, made.json.data.url);
    assert.match(letter.text, /^Grace Hopper invited you to join .* on Linkfold as an editor\./);
    assert.match(letter.text, /works once and expires on \d+ \w+ \d{4} at \d\d:\d\d UTC/);
    const body = { token: tokenIn(/https?:\S+/.exec(letter.text)?.[0] ?? ''), name: 'Ada' };
    assert.equal(codeOf(await call(server, 'POST', '/api/v1/invitations/accept', { body })), '201');
    const waiting = await api.post('/api/v1/invitations', {
      role: 'viewer',
      email: 'lin@example.com',
      language: 'de',
    });
    assert.equal(waiting.json.data.mailed, true);
    assert.equal(last().headers.get('subject'), `Einladung zu ${account}`);
    assert.match(
      last().text,
      /^Sie wurden eingeladen, .* auf Linkfold als Betrachter beizutreten\./,
      'a key does not name a person',
    );
    assertHolds(last(), waiting.json.data.url);
    assert.ok(!(await api.get('/api/v1/invitations')).text.includes('mailed'));
    const nobody = await api.post('/api/v1/invitations', { role: 'viewer' });
    assert.equal(nobody.json.data.mailed, null);
    assert.equal(mail.received.length, 2);
    assert.equal((await call(server, 'GET', '/api/v1/session/ways')).json.data.mail, true);
  });

  test("sends a sign-in link on request to the member's address; it signs them in", async () => {
    const { api, account } = await newAccount();
    const invited = await api.post('/api/v1/invitations', { role: 'viewer', email: 'ada@example.com' });
    const body = { token: tokenIn(invited.json.data.url), name: 'Ada' };
    const joined = await call(server, 'POST', '/api/v1/invitations/accept', { body });
    const path = `/api/v1/members/${joined.json.data.person.id}/sign-in-link`;
    const before = mail.received.length;
    assert.equal((await api.post(path)).json.data.mailed, null);
    assert.equal((await api.post(path, { language: 'de' })).json.data.mailed, null);
    assert.equal(mail.received.length, before, 'only if requested');
    const sent = await api.post(path, { mail: true, language: 'de' });
    assert.equal(sent.json.data.mailed, true, sent.text);
    assert.deepEqual(last().to, ['ada@example.com']);
    assert.equal(last().headers.get('subject'), `Bei ${account} anmelden`);
    assertHolds(last(), sent.json.data.url);
    const begun = await call(server, 'POST', '/api/v1/session', { key: tokenIn(sent.json.data.url) });
    assert.equal(begun.status, 201, begun.text);
    const nameless = await newMember(server, api, 'viewer');
    const none = await api.post(`/api/v1/members/${nameless.id}/sign-in-link`, { mail: true });
    assert.equal(none.json.data.mailed, null, 'the person has no address');
  });

  test('keeps an invitation when the mail server refuses or is silent; logs neither address nor secret', async () => {
    const { api } = await newAccount();
    for (const state of ['refusing', 'silent'] as const) {
      mail.state = state;
      const count = mail.received.length;
      const began = Date.now();
      const made = await api.post('/api/v1/invitations', {
        role: 'viewer',
        email: 'nobody.there@example.com',
      });
      assert.equal(made.status, 201, made.text);
      assert.equal(made.json.data.mailed, false, state);
      assert.ok(Date.now() - began < 25_000, 'within 10 seconds, and a wide margin');
      assert.equal(mail.received.length, count);
      const body = { token: tokenIn(made.json.data.url), name: 'Lin' };
      assert.equal(codeOf(await call(server, 'POST', '/api/v1/invitations/accept', { body })), '201', state);
    }
    mail.state = 'up';
    const lines = server.output();
    assert.match(lines, /Could not send an email/);
    assert.match(lines, /EENVELOPE 550/);
    for (const secret of ['nobody.there', 'lfi_', 'lfl_', mailPassword, encodeURIComponent(mailPassword)])
      assert.ok(!lines.includes(secret), secret);
  });

  test('makes changes and responds while an email is pending', async () => {
    const { api } = await newAccount();
    mail.state = 'silent';
    let isAnswered = false;
    const waits = api
      .post(
        '/api/v1/invitations',
        { role: 'viewer', email: 'slow@example.com' },
        { 'idempotency-key': 'slow' },
      )
      .then((answer) => {
        isAnswered = true;
        return answer;
      });
    for (let n = 0; n < 20; n += 1)
      assert.equal((await api.post('/api/v1/shorten', { url: 'https://example.com/' })).status, 201);
    assert.equal(isAnswered, false, 'no transaction is open meanwhile');
    assert.equal((await waits).json.data.mailed, false);
    mail.state = 'up';
    const again = await api.post(
      '/api/v1/invitations',
      { role: 'viewer', email: 'slow@example.com' },
      { 'idempotency-key': 'slow' },
    );
    assert.equal(codeOf(again), '409 SECRET_SHOWN_BEFORE');
    assert.ok(!mail.received.some(({ to }) => to.includes('slow@example.com')), 'a repetition sends nothing');
  });

  test('prevents injection into emails, and limits their number', async () => {
    const { api } = await newAccount();
    const eve = await newMember(server, api, 'owner', 'Win at https://evil.example <b>now</b> "&"');
    const made = await eve.send('POST', '/invitations', { role: 'viewer', email: 'victim@example.com' });
    assert.equal(made.json.data.mailed, true, made.text);
    assertHolds(last(), made.json.data.url);
    assert.ok(!last().html.includes('<b>'), last().html);
    assert.ok(!/evil\.example/.test(last().text), 'no mail client sees an address in a name');
    for (const email of [
      'a@example.com\r\nBcc: b@example.com',
      'a@example.com, b@example.com',
      '<a@example.com>',
    ])
      assert.equal(
        codeOf(await api.post('/api/v1/invitations', { role: 'viewer', email })),
        '400 VALIDATION_ERROR',
        email,
      );
    const count = mail.received.length;
    const sent: (boolean | null)[] = [];
    // Twice as many requests as necessary, because the rate limit's minute may end during the loop.
    for (let n = 0; n < 25; n += 1)
      sent.push(
        (await api.post('/api/v1/invitations', { role: 'viewer', email: `${n}@example.com` })).json.data
          .mailed,
      );
    assert.ok(sent.includes(false), 'ten in a minute');
    assert.ok(sent.filter(Boolean).length <= 20, `${sent}`);
    assert.equal(mail.received.length - count, sent.filter(Boolean).length);
    const { api: other } = await newAccount();
    const theirs = await other.post('/api/v1/invitations', { role: 'viewer', email: 'x@example.com' });
    assert.equal(theirs.json.data.mailed, true, 'another account');
  });

  test('sends no link without TLS unless the operator allows it; changes nothing without a server', async () => {
    // A loopback address, as an IPv4-mapped IPv6 address.
    const there = `[::ffff:127.0.0.1]:${mail.port}`;
    for (const [url, isSent] of [
      [`smtp://${there}`, false],
      [`smtp://${there}?tls=0`, true],
      ['', null],
    ] as const) {
      const mailed = url === '' ? {} : { SMTP_URL: url, MAIL_FROM: 'links@example.com' };
      const other = await startServer(mailed);
      const count = mail.received.length;
      const api = as(other, (await other.newKey()).key);
      const made = await api.post('/api/v1/invitations', { role: 'viewer', email: 'a@example.com' });
      await other.stop();
      assert.equal(made.json.data.mailed, isSent, `${url} ${other.output()}`);
      assert.equal(mail.received.length - count, isSent ? 1 : 0);
    }
  });
});
