import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { engines } from '../../test/support/postgres/databases.ts';
import { dayOf } from '../model/clicks/click-days.ts';
import { createMissedVisits } from '../model/clicks/missed-visits.ts';
import type { Domain, DomainCheck, NewDomain } from '../model/domains/domains.ts';
import { Failure, type FailureCode } from '../model/failures.ts';
import { codeKey } from '../model/links/codes/codes.ts';
import { searchWords } from '../model/links/link-search.ts';
import type { Storage } from '../model/storage.ts';
import { checkDatabase } from './check/check.ts';
import { openStorage } from './open.ts';
import { newLink, nextId } from './storage.fixtures.ts';

const t0 = Date.UTC(2027, 0, 1);
const found = { ownership: true, traffic: true, problem: null };

function fails(work: Promise<unknown>, code: FailureCode): Promise<void> {
  return assert.rejects(work, (error) => error instanceof Failure && error.code === code);
}

function draft(host: string, more: Partial<NewDomain> = {}): NewDomain {
  return { id: nextId(), host, token: `token of ${host}`, createdAt: t0, limit: 100, ...more };
}

function proof({ token }: Domain): DomainCheck {
  return { token, found, checkedAt: t0 + 1, status: 'active', failingSince: null, nextCheckAt: t0 + 9 };
}

const search = {
  folder: { kind: 'all' },
  sort: 'createdAt',
  order: 'desc',
  now: t0,
  limit: 20,
  offset: 0,
  total: 'always',
} as const;

for (const engine of engines) {
  describe(`domains on ${engine.name}`, { skip: engine.missing ?? false }, () => {
    const using = async (
      work: (storage: Storage, accounts: { mine: number; theirs: number }) => Promise<void>,
    ): Promise<void> => {
      const url = await engine.newDatabase();
      const storage = await openStorage(url);
      try {
        const mine = await storage.createAccount('mine', t0);
        const theirs = await storage.createAccount('theirs', t0);
        assert.ok(mine && theirs);
        await work(storage, { mine: mine.id, theirs: theirs.id });
        assert.deepEqual(await checkDatabase(url), [], 'nothing is wrong with the database');
      } finally {
        await storage.close();
        await engine.drop(url);
      }
    };
    const active = async (storage: Storage, account: number, host: string, more: Partial<NewDomain> = {}) =>
      storage.createDomain(account, draft(host, { proven: true, ...more }));
    const locationOf = async (storage: Storage, domain: Domain | undefined, code: string) =>
      (await storage.findTarget(codeKey(domain?.space ?? '', code)))?.location;

    test('a code is unique within its domain and redirects separately on each', () =>
      using(async (storage, { mine, theirs }) => {
        const go = await active(storage, mine, 'go.example.com');
        const other = await active(storage, theirs, 'other.example.com');
        const on = (domain: Domain | undefined, code: string, where: string) =>
          newLink(code, { domain, location: where, destination: where });
        await storage.createLink(mine, on(undefined, 'sale', 'https://example.com/shared'));
        await storage.createLink(mine, on(go, 'Sale', 'https://example.com/go'));
        await storage.createLink(theirs, on(other, 'sale', 'https://example.com/other'));
        assert.equal(await locationOf(storage, undefined, 'SALE'), 'https://example.com/shared');
        assert.equal(await locationOf(storage, go, 'SALE'), 'https://example.com/go');
        assert.equal(await locationOf(storage, other, 'sale'), 'https://example.com/other');
        await fails(storage.createLink(mine, newLink('SALE', { domain: go })), 'CUSTOM_CODE_TAKEN');
        const found = await storage.linkByCode(mine, codeKey(go.space, 'sale'));
        assert.deepEqual([found?.link.code, found?.link.host], ['Sale', 'go.example.com']);
        assert.equal(await storage.linkByCode(mine, codeKey(other.space, 'sale')), undefined);
        assert.deepEqual(
          (await storage.domains(mine)).map(({ host, linkCount }) => [host, linkCount]),
          [['go.example.com', 1]],
        );
      }));

    test('exact codes are case-sensitive and may have any characters', () =>
      using(async (storage, { mine }) => {
        const short = await active(storage, mine, 's.example.com', { codes: 'exact' });
        for (const code of ['aB', 'ab', 'a.b=:c/d']) {
          const location = `https://example.com/${code}`;
          await storage.createLink(mine, newLink(code, { domain: short, location }));
        }
        await fails(storage.createLink(mine, newLink('aB', { domain: short })), 'CUSTOM_CODE_TAKEN');
        assert.equal(await locationOf(storage, short, 'aB'), 'https://example.com/aB');
        assert.equal(await locationOf(storage, short, 'ab'), 'https://example.com/ab');
        assert.equal(await locationOf(storage, short, 'AB'), undefined);
        assert.equal(await locationOf(storage, short, 'a.b=:c/d'), 'https://example.com/a.b=:c/d');
        await fails(storage.updateDomain(mine, short.id, { codes: 'folded' }), 'DOMAIN_IN_USE');
        for (const { link } of (await storage.findLinks(mine, { ...search, words: [], space: short.space }))
          .links)
          await storage.deleteLink(mine, link.id, t0);
        await storage.deleteDomain(mine, short.id, t0);
        await fails(storage.createDomain(mine, draft('s.example.com', { codes: 'folded' })), 'DOMAIN_IN_USE');
        assert.equal((await storage.createDomain(mine, draft('s.example.com'))).codes, 'exact');
      }));

    test('finds codes on golinks domains without hyphens, and creates none that are the same', () =>
      using(async (storage, { mine, theirs }) => {
        const go = await active(storage, mine, 'go.example.com', { golinks: true });
        assert.equal((await storage.findHost('go.example.com'))?.golinks, true);
        const on = (code: string) => newLink(code, { domain: go, location: 'https://example.com/' });
        const keyOf = (code: string) => codeKey(go.space, code);
        const oncall = on('On-Call');
        await storage.createLink(mine, oncall);
        await storage.createLink(mine, on('a/b-c'));
        for (const [asked, code] of [
          ['oncall', 'on-call'],
          ['o-n-c-a-l-l', 'on-call'],
          ['a/bc', 'a/b-c'],
          ['a-/b-c', 'a/b-c'],
        ] as const)
          assert.equal(await storage.findGolink(keyOf(asked)), keyOf(code), asked);
        assert.equal(await storage.findGolink(keyOf('call')), undefined);

        const refusal = { code: 'CUSTOM_CODE_TAKEN', message: /ignores hyphens and case.*"on-call"/ };
        await assert.rejects(storage.createLink(mine, on('oncall')), refusal);
        await assert.rejects(storage.addAlias(mine, (await other(on('wiki'))).id, 'on-ca-ll', t0), refusal);
        await assert.rejects(storage.changeCode(mine, (await other(on('blog'))).id, 'ONCALL', t0), refusal);
        async function other(link: ReturnType<typeof newLink>) {
          return storage.createLink(mine, link);
        }
        const many = ['fresh', 'on--call'].map((code) => ['createLink', on(code)] as const);
        const { outcomes } = await storage.bulkLinks(mine, many, 'each', { remaining: 0, nextCursor: null });
        assert.deepEqual(
          outcomes.map((outcome) => 'refused' in outcome && outcome.refused.code),
          [false, 'CUSTOM_CODE_TAKEN'],
        );
        assert.deepEqual(await storage.holderOfCode(mine, keyOf('oncall')), {
          isOwn: true,
          linkId: oncall.id,
        });
        assert.deepEqual(await storage.holderOfCode(theirs, keyOf('oncall')), { isOwn: false, linkId: null });

        // One link may have several codes that differ only in hyphens and case.
        await storage.changeCode(mine, oncall.id, 'oncall', t0);
        assert.equal(await storage.findGolink(keyOf('on-ca-ll')), keyOf('oncall'));
        await storage.deleteLink(mine, oncall.id, t0);
        assert.equal(await storage.findGolink(keyOf('onc-all')), undefined);
        await storage.createLink(mine, on('onc-all'));
        await fails(storage.restoreLink(mine, oncall.id, t0), 'CUSTOM_CODE_TAKEN');
      }));

    test("does not restore aliases on golinks domains that are the same as another link's code", () =>
      using(async (storage, { mine }) => {
        const go = await active(storage, mine, 'go.example.com', { golinks: true });
        const on = (code: string) => newLink(code, { domain: go });
        const wiki = on('wiki');
        await storage.createLink(mine, wiki);
        for (const alias of ['docs', 'hand-book']) await storage.addAlias(mine, wiki.id, alias, t0);
        await storage.deleteLink(mine, wiki.id, t0);
        await storage.createLink(mine, on('handbook'));
        await storage.restoreLink(mine, wiki.id, t0);
        assert.ok(await storage.findTarget(codeKey(go.space, 'docs')));
        assert.equal(await storage.findTarget(codeKey(go.space, 'hand-book')), undefined);
      }));

    test('refuses golinks while codes would be the same, and on case-sensitive domains', () =>
      using(async (storage, { mine }) => {
        const go = await active(storage, mine, 'go.example.com');
        const drafts = ['on-call', 'oncall', 'wiki'].map((code) => newLink(code, { domain: go }));
        for (const draft of drafts) await storage.createLink(mine, draft);
        const on = (change: Partial<NewDomain> = { golinks: true }) =>
          storage.updateDomain(mine, go.id, change);
        await assert.rejects(on(), { code: 'DOMAIN_IN_USE', message: /"on-call" and "oncall"/ });
        assert.equal((await storage.domain(mine, go.id))?.golinks, false);
        await storage.deleteLink(mine, drafts[0]?.id ?? '', t0);
        assert.equal((await on()).golinks, true);
        assert.equal((await on({ indexed: true })).golinks, true);
        assert.equal((await on({ golinks: false })).golinks, false);

        const exact = await active(storage, mine, 's.example.com', { codes: 'exact' });
        await fails(storage.updateDomain(mine, exact.id, { golinks: true }), 'DOMAIN_IN_USE');
        const both = await storage.updateDomain(mine, exact.id, { golinks: true, codes: 'folded' });
        assert.deepEqual([both.golinks, both.codes], [true, 'folded']);
        await fails(storage.updateDomain(mine, exact.id, { codes: 'exact' }), 'DOMAIN_IN_USE');
        await storage.deleteDomain(mine, exact.id, t0);
        assert.equal((await storage.createDomain(mine, draft('s.example.com'))).golinks, false);
      }));

    test('creates one of two codes that differ only in hyphens at the same time', () =>
      using(async (storage, { mine }) => {
        const go = await active(storage, mine, 'go.example.com', { golinks: true });
        for (const [one, other] of [
          ['on-call', 'oncall'],
          ['how-to', 'ho-wto'],
        ] as const) {
          const created = await Promise.allSettled(
            [one, other].map((code) => storage.createLink(mine, newLink(code, { domain: go }))),
          );
          assert.deepEqual(created.map(({ status }) => status).sort(), ['fulfilled', 'rejected'], one);
        }
      }));

    test('bulk changes, aliases, code changes, deletes and restores respect the domain', () =>
      using(async (storage, { mine }) => {
        const go = await active(storage, mine, 'go.example.com');
        const to = await active(storage, mine, 'to.example.com');
        await storage.createLink(mine, newLink('one'));
        const drafts = ['one', 'two'].map((code) => newLink(code, { domain: go }));
        const [one, two] = drafts;
        assert.ok(one && two);
        const { outcomes } = await storage.bulkLinks(
          mine,
          drafts.map((link) => ['createLink', link] as const),
          'atomic',
          { remaining: 0, nextCursor: null },
        );
        assert.deepEqual(
          outcomes.map((outcome) => 'link' in outcome && outcome.link.host),
          ['go.example.com', 'go.example.com'],
        );
        const alias = await storage.addAlias(mine, one.id, 'again', t0);
        assert.deepEqual(alias, { alias: { code: 'again', host: 'go.example.com' }, isNew: true });
        await storage.addAlias(mine, one.id, 'shared', t0, null);
        const moved = await storage.changeCode(mine, two.id, 'one', t0, to);
        assert.deepEqual([moved.code, moved.host], ['one', 'to.example.com']);
        assert.deepEqual(await storage.aliases(mine, two.id), [{ code: 'two', host: 'go.example.com' }]);
        const counts = async () => (await storage.domains(mine)).map(({ linkCount }) => linkCount);
        assert.deepEqual(await counts(), [1, 1]);
        await storage.deleteLink(mine, one.id, t0);
        assert.deepEqual(await counts(), [0, 1]);
        assert.equal(await locationOf(storage, go, 'again'), undefined);
        assert.ok(
          await locationOf(storage, undefined, 'one'),
          'the link on the shared domain still redirects',
        );
        await storage.restoreLink(mine, one.id, t0);
        for (const [domain, code] of [
          [go, 'one'],
          [go, 'again'],
          [undefined, 'shared'],
          [go, 'two'],
          [to, 'one'],
        ] as const)
          assert.ok(await locationOf(storage, domain, code), code);
        assert.ok(await storage.removeAlias(mine, codeKey(go.space, 'again'), t0));
        for (const [words, hits] of [
          ['on', 3],
          ['two', 1],
        ] as const)
          assert.equal(
            (await storage.findLinks(mine, { ...search, words: searchWords(words) })).links.length,
            hits,
            words,
          );
        assert.equal(
          (await storage.findLinks(mine, { ...search, words: [], space: go.space })).links.length,
          1,
        );
      }));

    test('the first of two accounts to verify a host gets it; after deletion the other starts empty', () =>
      using(async (storage, { mine, theirs }) => {
        const ours = await storage.createDomain(mine, draft('go.example.com'));
        const other = await storage.createDomain(theirs, draft('go.example.com'));
        await fails(storage.createLink(mine, newLink('sale', { domain: ours })), 'DOMAIN_NOT_ACTIVE');
        assert.equal(await storage.findHost('go.example.com'), undefined);
        const results = await Promise.allSettled([
          storage.checkDomain(mine, ours.id, proof(ours)),
          storage.checkDomain(theirs, other.id, proof(other)),
        ]);
        assert.deepEqual(results.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected']);
        const isOurs = results[0]?.status === 'fulfilled';
        const [winner, loser] = isOurs ? [mine, theirs] : [theirs, mine];
        const [won, lost] = isOurs ? [ours, other] : [other, ours];
        assert.equal((await storage.findHost('go.example.com'))?.accountId, winner);
        const link = newLink('sale', { domain: won });
        await storage.createLink(winner, link);
        await fails(storage.createLink(loser, newLink('sale', { domain: won })), 'DOMAIN_NOT_FOUND');
        await fails(storage.deleteDomain(winner, won.id, t0), 'DOMAIN_IN_USE');
        await storage.deleteLink(winner, link.id, t0);
        await storage.deleteDomain(winner, won.id, t0);
        assert.equal(await storage.findHost('go.example.com'), undefined);
        await fails(storage.restoreLink(winner, link.id, t0), 'DOMAIN_NOT_FOUND');
        await storage.checkDomain(loser, lost.id, proof(lost));
        await storage.createLink(loser, newLink('sale', { domain: lost }));
        assert.equal((await storage.findHost('go.example.com'))?.accountId, loser);
        const back = await storage.createDomain(winner, draft('go.example.com', { token: 'anew' }));
        assert.deepEqual([back.space, back.status], [won.space, 'pending'], 'its codes stay reserved');
        await fails(storage.checkDomain(winner, back.id, proof(won)), 'DOMAIN_NOT_FOUND');
        await fails(storage.checkDomain(winner, back.id, proof(back)), 'DOMAIN_TAKEN');
        await storage.deleteLink(
          loser,
          (await storage.linkByCode(loser, codeKey(lost.space, 'sale')))?.link.id ?? '',
          t0,
        );
        await storage.deleteDomain(loser, lost.id, t0);
        await storage.checkDomain(winner, back.id, proof(back));
        await storage.restoreLink(winner, link.id, t0);
        assert.ok(await locationOf(storage, back, 'sale'));
      }));

    test('not-found visits include the domain, for deleted and unknown links', () =>
      using(async (storage, { mine }) => {
        const go = await active(storage, mine, 'go.example.com');
        const [gone, same] = [newLink('sale', { domain: go }), newLink('sale')];
        for (const link of [gone, same]) await storage.createLink(mine, link);
        await storage.deleteLink(mine, gone.id, t0);
        const missed = createMissedVisits();
        for (const code of ['sale', 'typo']) missed.unknown(codeKey(go.space, code));
        const today = dayOf(t0);
        await storage.addMissedVisits(today, missed.take(), today);
        assert.deepEqual(
          (await storage.missedVisits(mine, today, 9)).map(({ linkId, host }) => [linkId, host]),
          [[gone.id, go.host]],
        );
        const [unknown] = await storage.unknownCodes(today, 9);
        assert.equal(unknown?.code, 'go.example.com/typo');
      }));

    test('hosts without a certificate that point here are listed as waiting for a visit', () =>
      using(async (storage, { mine, theirs }) => {
        const hosts = ['b.example.com', 'a.example.com', 'c.example.com'];
        const [b, a, c] = await Promise.all(hosts.map((host) => storage.createDomain(mine, draft(host))));
        assert.ok(a && b && c);
        const waiting = async () =>
          (await storage.certificates()).flatMap(({ host, dueAt }) => (dueAt === null ? [host] : []));
        await storage.storeAcmeAccount('https://ca.test/', { url: 'x', key: new Uint8Array(1) }, null);
        assert.deepEqual(await waiting(), [], 'pending');
        await storage.checkDomain(mine, b.id, proof(b));
        const elsewhere = { ...proof(a), found: { ...found, traffic: false, problem: '{"traffic":true,' } };
        await storage.checkDomain(mine, a.id, elsewhere);
        assert.deepEqual(await waiting(), [b.host], 'traffic for the other domain goes elsewhere');
        const leads = await Promise.all(hosts.map((host) => storage.isRoutedHere(host)));
        assert.deepEqual(leads, [true, false, false]);
        const byOperator = { ...draft('d.example.com'), token: '', proven: true };
        await storage.createDomain(mine, byOperator);
        assert.equal(await storage.isRoutedHere('d.example.com'), true, 'verified by an operator');
        await storage.claimCertificate(b.host, 'me', t0, t0 + 1, false);
        assert.deepEqual(await waiting(), []);
        await storage.checkDomain(mine, c.id, proof(c));
        assert.deepEqual(await waiting(), [c.host]);
        const reported = async (accountId: number) =>
          (await storage.certificatesOf(accountId)).map(({ host, hasCertificate }) => [host, hasCertificate]);
        assert.deepEqual([await reported(mine), await reported(theirs)], [[[b.host, false]], []]);
      }));

    test('certificate orders are limited by account and in total, even if domains are deleted; renewals are not', () =>
      using(async (storage, { mine, theirs }) => {
        const limits = { ofAccount: 2, ofAll: 4 };
        let now = t0;
        const [minute, hour] = [60_000, 3_600_000];
        const order = (host: string, isFirst = true) => storage.recordOrder(host, isFirst, limits, now);
        const a = await active(storage, mine, 'a.example.com');
        await active(storage, mine, 'b.example.com');
        await active(storage, theirs, 'c.example.com');
        assert.equal(await order(a.host), undefined);
        now += minute;
        assert.equal(await order('b.example.com'), undefined);
        await storage.deleteDomain(mine, a.id, now);
        await active(storage, mine, 'a.example.com');
        assert.deepEqual(await order('a.example.com'), { limit: 'ofAccount', until: t0 + hour });
        assert.equal(await order('a.example.com', false), undefined, 'a renewal');
        assert.equal(await order('c.example.com'), undefined, 'another account');
        assert.deepEqual(await order('c.example.com'), { limit: 'ofAll', until: t0 + 3 * hour });
        assert.equal(await order('own.example.com'), undefined, 'a host of the installation');
        now = t0 + 2 * hour;
        assert.deepEqual(await order('a.example.com'), { limit: 'ofAll', until: t0 + minute + 3 * hour });
        now = t0 + 3 * hour + minute;
        assert.equal(await order('a.example.com'), undefined, 'three hours later');
        now = t0;
        assert.equal(await order('a.example.com'), undefined, 'a clock that was set back');
      }));

    test("another account's records do not exist", () =>
      using(async (storage, { mine, theirs }) => {
        const go = await active(storage, mine, 'go.example.com');
        assert.deepEqual(await storage.domains(theirs), []);
        assert.equal(await storage.domain(theirs, go.id), undefined);
        assert.equal(await storage.domainByHost(theirs, go.host), undefined);
        await fails(storage.updateDomain(theirs, go.id, { indexed: true }), 'DOMAIN_NOT_FOUND');
        await fails(storage.deleteDomain(theirs, go.id, t0), 'DOMAIN_NOT_FOUND');
        await fails(storage.checkDomain(theirs, go.id, proof(go)), 'DOMAIN_NOT_FOUND');
      }));

    test('limits, defaults and settings', () =>
      using(async (storage, { mine }) => {
        const pending = await storage.createDomain(mine, draft('a.example.com'));
        await fails(storage.createDomain(mine, draft('a.example.com')), 'DOMAIN_TAKEN');
        await fails(storage.createDomain(mine, draft('b.example.com', { limit: 1 })), 'LIMIT_REACHED');
        await fails(storage.updateDomain(mine, pending.id, { isDefault: true }), 'DOMAIN_NOT_ACTIVE');
        const b = await active(storage, mine, 'b.example.com', { isDefault: true });
        const c = await active(storage, mine, 'c.example.com', {
          isDefault: true,
          rootUrl: 'https://example.com/',
        });
        assert.deepEqual(
          (await storage.domains(mine)).map(({ isDefault }) => isDefault),
          [false, false, true],
        );
        assert.equal((await storage.findHost('c.example.com'))?.rootUrl, 'https://example.com/');
        await storage.updateDomain(mine, c.id, { rootUrl: null, indexed: true, codes: 'exact' });
        const served = await storage.findHost('c.example.com');
        assert.deepEqual([served?.rootUrl, served?.indexed, served?.space.at(-1)], [null, true, '=']);
        assert.deepEqual(
          (await storage.domainsToCheck(t0, 10)).map(({ host }) => host),
          ['a.example.com', 'b.example.com', 'c.example.com'],
        );
        await storage.deleteDomain(mine, b.id, t0);
        await fails(storage.deleteDomain(mine, b.id, t0), 'DOMAIN_NOT_FOUND');
      }));

    test('another process sees a new, changed or deleted domain within a second', async () => {
      const url = await engine.newDatabase();
      const [here, there] = [await openStorage(url), await openStorage(url)];
      const within = async (is: () => Promise<boolean>) => {
        for (const end = Date.now() + 1_500; ; await new Promise((resolve) => setTimeout(resolve, 20)))
          if (await is()) return;
          else assert.ok(Date.now() < end, 'the change is visible in time');
      };
      try {
        const account = await here.createAccount('mine', t0);
        assert.ok(account);
        assert.equal(await there.findHost('go.example.com'), undefined);
        const go = await active(here, account.id, 'go.example.com');
        assert.ok(await here.findHost('go.example.com'));
        await within(async () => (await there.findHost('go.example.com')) !== undefined);
        await here.updateDomain(account.id, go.id, { unknownUrl: 'https://example.com/' });
        await within(
          async () => (await there.findHost('go.example.com'))?.unknownUrl === 'https://example.com/',
        );
        await here.deleteDomain(account.id, go.id, t0);
        assert.equal(await here.findHost('go.example.com'), undefined);
        await within(async () => (await there.findHost('go.example.com')) === undefined);
      } finally {
        await here.close();
        await there.close();
        await engine.drop(url);
      }
    });
  });
}
