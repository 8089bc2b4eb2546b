import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type DnsServer, startDns } from '../../../test/support/dns/dns-server.ts';
import { engines } from '../../../test/support/postgres/databases.ts';
import { createRecordChecker } from '../../external/dns/check-records.ts';
import type { Domain } from '../../model/domains/domains.ts';
import { verifyDueDomains } from '../../model/domains/own-domains.ts';
import { recordsOf } from '../../model/domains/records.ts';
import type { Storage } from '../../model/storage.ts';
import { openStorage } from '../../storage/open.ts';
import { newLink, nextId } from '../../storage/storage.fixtures.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
const t0 = Date.UTC(2027, 0, 1);
const sharedHost = 'short.example.net';

for (const engine of engines) {
  describe(`domain verification on ${engine.name}`, {
    skip: engine.missing ?? false,
  }, () => {
    let dns: DnsServer;
    let storage: Storage;
    let url: string;
    before(async () => {
      dns = await startDns();
      url = await engine.newDatabase();
      storage = await openStorage(url);
    });
    after(async () => {
      await storage.close();
      await engine.drop(url);
      await dns.close();
    });

    /** Runs the domain checks that are due at the given time. */
    const roundsAt = async (at: number): Promise<void> => {
      const checkRecords = createRecordChecker({ servers: [dns.address], timeoutMs: 500 });
      await verifyDueDomains({
        storage,
        writes: storage,
        checkRecords,
        sharedHost: () => sharedHost,
        now: () => at,
      });
    };
    const add = async (account: string, host: string): Promise<{ accountId: number; domain: Domain }> => {
      const accountId = (await storage.createAccount(account, t0))?.id ?? assert.fail();
      const draft = { id: nextId(), host, token: `of-${account}`, createdAt: t0, limit: 9 };
      return { accountId, domain: await storage.createDomain(accountId, draft) };
    };
    const publish = (domain: Domain, ...types: string[]): void => {
      for (const { type, name, value } of recordsOf(domain, sharedHost))
        dns.zone[name] = types.includes(type) ? { [type]: [value] } : {};
    };
    const now = async (accountId: number, { id }: Domain): Promise<Domain> =>
      (await storage.domain(accountId, id)) ?? assert.fail();

    test('checks a pending domain often at first, then less often, and gives up after 30 days', async () => {
      const { accountId, domain } = await add('waits', 'waits.example.com');
      await roundsAt(t0);
      const first = await now(accountId, domain);
      assert.deepEqual([first.status, first.checkedAt, first.nextCheckAt], ['pending', t0, t0 + 10 * second]);
      await roundsAt(t0 + 9 * second);
      assert.equal((await now(accountId, domain)).checkedAt, t0, 'it is not its turn');
      await roundsAt(t0 + hour);
      assert.equal((await now(accountId, domain)).nextCheckAt, t0 + 1.5 * hour);
      await roundsAt(t0 + 20 * day);
      assert.equal((await now(accountId, domain)).nextCheckAt, t0 + 20 * day + 6 * hour);
      await roundsAt(t0 + 31 * day);
      assert.equal((await now(accountId, domain)).nextCheckAt, null);
    });

    test('checks a verified domain for its traffic record, often at first, then less often', async () => {
      const { accountId, domain } = await add('led later', 'later.example.com');
      publish(domain, 'TXT');
      for (const [at, next] of [
        [t0, t0 + minute],
        [t0 + minute, t0 + 2 * minute],
        [t0 + 20 * minute, t0 + 30 * minute],
        [t0 + 5 * hour, t0 + 6 * hour],
      ] as const) {
        await roundsAt(at);
        assert.deepEqual((await now(accountId, domain)).nextCheckAt, next);
      }
      publish(domain, 'TXT', 'CNAME');
      await roundsAt(t0 + 6 * hour);
      const { found, nextCheckAt } = await now(accountId, domain);
      assert.deepEqual([found.traffic, nextCheckAt], [true, t0 + 30 * hour]);
    });

    for (const gone of ['TXT', 'CNAME'])
      test(`marks a domain without its ${gone} record as failing after three days, keeps serving, and recovers`, async () => {
        const host = `${gone.toLowerCase()}.example.com`;
        const { accountId, domain } = await add(`owner of ${gone}`, host);
        publish(domain, 'TXT', 'CNAME');
        await roundsAt(t0);
        const proven = await now(accountId, domain);
        assert.deepEqual([proven.status, proven.verifiedAt, proven.nextCheckAt], ['active', t0, t0 + day]);
        publish(domain, ...['TXT', 'CNAME'].filter((type) => type !== gone));
        await roundsAt(t0 + day);
        const lacking = await now(accountId, domain);
        assert.deepEqual([lacking.status, lacking.failingSince], ['active', t0 + day]);
        assert.match(lacking.found.problem ?? '', new RegExp(`^The ${gone} record of .*${host} must be .*`));
        await roundsAt(t0 + 4 * day - second);
        assert.equal((await now(accountId, domain)).status, 'active');
        await roundsAt(t0 + 4 * day + hour);
        assert.equal((await now(accountId, domain)).status, 'failing');
        assert.equal((await storage.findHost(host))?.accountId, accountId);
        await storage.createLink(accountId, newLink('sale', { domain }));
        publish(domain, 'TXT', 'CNAME');
        await roundsAt(t0 + 5 * day);
        const back = await now(accountId, domain);
        assert.deepEqual([back.status, back.failingSince, back.found.problem], ['active', null, null]);
      });

    test('reports a host verified by another account to the pending one, and verifies it after the other is deleted', async () => {
      const host = 'both.example.com';
      const [one, other] = [await add('first', host), await add('second', host)];
      const values = [one, other].map(({ domain }) => `linkfold=${domain.token}`);
      dns.zone[`_linkfold.${host}`] = { TXT: values };
      dns.zone[host] = { CNAME: [sharedHost] };
      await roundsAt(t0);
      const seen = await Promise.all([one, other].map(({ accountId, domain }) => now(accountId, domain)));
      assert.deepEqual(seen.map(({ status }) => status).toSorted(), ['active', 'pending']);
      const [won, lost] = seen[0]?.status === 'active' ? [one, other] : [other, one];
      const told = (await now(lost.accountId, lost.domain)).found;
      assert.deepEqual(
        [told.ownership, told.problem],
        [false, `Another account has verified the domain ${host}.`],
      );
      await storage.deleteDomain(won.accountId, won.domain.id, t0);
      await roundsAt(t0 + 10 * second);
      assert.equal((await now(lost.accountId, lost.domain)).status, 'active');
    });
  });
}
