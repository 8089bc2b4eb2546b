import { foldAccountName } from '../../../model/accounts/accounts.ts';
import { foldEmail } from '../../../model/accounts/members.ts';
import type { AccountFacts, AccountsQuery, MemberWithAccount } from '../../../model/accounts/operators.ts';
import type { Plan } from '../../../model/accounts/plans.ts';
import type { Db, Value } from '../../db/db.ts';
import type { Read, Write } from '../../db/statements.ts';
import { scopeOf, sumOfLinks } from '../groups/link-counts.ts';
import { endForeignSignIns, endSignIns, recordMemberKeyChanges } from './members.ts';

type MemberRow = Omit<MemberWithAccount, 'isRestricted'> & { readonly bounds: string | null };

function memberOf({ bounds, ...row }: MemberRow): MemberWithAccount {
  return { ...row, isRestricted: bounds !== null };
}

const selectMembers = `
  SELECT m.id, m.name, m.email, m.role, a.name AS account, k.bounds, m.operator_at AS "operatorAt"
  FROM members m JOIN accounts a ON a.id = m.account_id JOIN api_keys k ON k.id = m.key_id`;
const allOperators = `${selectMembers} WHERE m.operator_at IS NOT NULL ORDER BY m.operator_at, m.id`;
const membersByIdOrEmail = `${selectMembers} WHERE m.id = ? OR lower(m.email) = ? ORDER BY m.created_at, m.id`;

export const operators: Read<'operators'> = async (db) =>
  (await db.all<MemberRow>(allOperators, [])).map(memberOf);

/**
 * Finds members by id or email address. Addresses are compared in JavaScript, which folds the case of ASCII letters
 * only; databases may fold more letters.
 */
export const findMembers: Read<'findMembers'> = async (db, idOrEmail) => {
  const folded = foldEmail(idOrEmail);
  const found = await db.all<MemberRow>(membersByIdOrEmail, [folded, folded]);
  return found.filter(({ id, email }) => id === folded || foldEmail(email ?? '') === folded).map(memberOf);
};

const updateOperator = 'UPDATE members SET operator_at = ? WHERE id = ?';
const keyOfMember = 'SELECT key_id FROM members WHERE id = ?';

/**
 * Grants or revokes operator permissions. Ends the member's sessions and sign-in links. For a new operator, also
 * removes passkeys and identities that somebody else may have added: otherwise an account manager could sign in as the
 * operator.
 */
export const setOperator: Write<'setOperator'> = async (db, memberId, at) => {
  const person = await db.get<{ key_id: string }>(keyOfMember, [memberId]);
  if (person === undefined) return false;
  await db.run(updateOperator, [at, memberId]);
  await recordMemberKeyChanges(db, memberId);
  if (at === null) await endSignIns(db, person.key_id);
  else await endForeignSignIns(db, { id: memberId, keyId: person.key_id });
  return true;
};

/**
 * Returns the ids of the accounts on a page. Names are compared in JavaScript, because not every database can fold the
 * case of all letters.
 */
async function findPage(db: Db, { limit, before, search, name }: AccountsQuery): Promise<number[]> {
  const [where, given]: [string, Value[]] =
    name === undefined ? ['a.id < ?', [before ?? Number.MAX_SAFE_INTEGER]] : ['a.name = ?', [name]];
  const newest = `SELECT a.id, a.name FROM accounts a WHERE ${where} ORDER BY a.id DESC`;
  const ask = (statement: string, values: Value[]) =>
    db.allUncached<{ id: number; name: string }>(statement, values);
  const rows =
    search === undefined ? await ask(`${newest} LIMIT ?`, [...given, limit]) : await ask(newest, given);
  const wanted = foldAccountName(search ?? '');
  const found = rows.filter((row) => foldAccountName(row.name).includes(wanted));
  return found.slice(0, limit).map(({ id }) => id);
}

type FactsRow = Pick<AccountFacts, 'id' | 'name' | 'createdAt' | 'suspendedAt' | 'links'>;

interface KeysRow {
  account_id: number;
  plan: Plan;
  live: number;
  people: number;
  used: number | null;
}

export const accountFacts: Read<'accountFacts'> = async (db, query) => {
  const ids = await findPage(db, query);
  if (ids.length === 0) return [];
  const inPage = `(${ids.map(() => '?').join(', ')})`;
  const rows = await db.allUncached<FactsRow>(
    `SELECT a.id, a.name, a.created_at AS "createdAt", a.suspended_at AS "suspendedAt", ${sumOfLinks('a.id', '?')} AS links
     FROM accounts a WHERE a.id IN ${inPage} ORDER BY a.id DESC`,
    [scopeOf({ kind: 'all' }), ...ids],
  );
  const keys = await db.allUncached<KeysRow>(
    `SELECT k.account_id, k.plan, COUNT(m.id) AS people, MAX(k.last_used_at) AS used,
       COUNT(CASE WHEN k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > ?) THEN 1 END) AS live
     FROM api_keys k LEFT JOIN members m ON m.key_id = k.id WHERE k.account_id IN ${inPage}
     GROUP BY k.account_id, k.plan ORDER BY k.account_id, k.plan`,
    [query.now, ...ids],
  );
  return rows.map((row) => {
    const own = keys.filter(({ account_id }) => account_id === row.id);
    const sum = (field: 'live' | 'people') => own.reduce((total, row) => total + row[field], 0);
    const uses = own.flatMap(({ used }) => used ?? []);
    return {
      ...row,
      plans: own.filter(({ live }) => live > 0).map(({ plan }) => plan),
      people: sum('people'),
      // Subtracts the keys that represent members, because no program uses them.
      keys: sum('live') - sum('people'),
      lastUsedAt: uses.length === 0 ? null : Math.max(...uses),
    };
  });
};

export const operatorReads = { accountFacts, operators, findMembers };
