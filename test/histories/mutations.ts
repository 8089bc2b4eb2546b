// Small bugs that are seeded one at a time. Histories must find each of them.

export interface Mutation {
  /** Part of the program that has the bug. `bug` describes the bug. */
  readonly area: string;
  readonly bug: string;
  /** Path below `src/`. */
  readonly file: string;
  /** String to replace. It occurs exactly once in the file. */
  readonly old: string;
  /** Replacement. If it is undefined, `old` is removed. */
  readonly new?: string;
}

/** Mutations, grouped by the setup that can reveal them. */
export const mutations: Readonly<Record<'one node' | 'cluster', readonly Mutation[]>> = {
  cluster: [
    {
      area: 'cache',
      bug: 'a node does not invalidate what it changed itself',
      file: 'storage/postgres/writes.ts',
      old: 'for (const { kind, name } of changes) onChange(kind, name);',
    },
    {
      area: 'cache',
      bug: 'a value that was read before a change is cached after it',
      file: 'storage/postgres/single-flight.ts',
      old: 'drop: (name) => void running.delete(name),',
      new: 'drop: () => {},',
    },
    {
      area: 'change log',
      bug: 'numbers of transactions that commit late are not awaited',
      file: 'storage/postgres/change-follower.ts',
      old: 'if (seq > state.seen + 1) gaps.add(state.seen + 1, seq - 1);',
    },
    {
      area: 'change log',
      bug: 'a node trusts its cache for 9 s without reading the log',
      file: 'storage/postgres/fresh-reads.ts',
      old: 'const maxAgeMs = 900;',
      new: 'const maxAgeMs = 9_000;',
    },
    {
      area: 'change log',
      bug: 'the removal of an alias is not recorded',
      file: 'storage/statements/links/aliases.ts',
      old: "await all(db.run(touch, [now, now, row]), recordChange(db, 'target', key));",
      new: 'await db.run(touch, [now, now, row]);',
    },
    {
      area: 'leases',
      bug: 'every node acquires every lease',
      file: 'storage/statements/leases.ts',
      old: '(await db.run(take, [name, at, at - everyMs, at + everyMs])) > 0;',
      new: '(await db.run(take, [name, at, at - everyMs, at + everyMs])) >= 0;',
    },
    {
      area: 'clicks',
      bug: 'a batch whose commit got no answer is applied again',
      file: 'storage/statements/clicks/clicks.ts',
      old: 'if (moved === 0) return false;',
    },
    {
      area: 'idempotency',
      bug: 'a key is claimed again after its request was answered',
      file: 'storage/statements/idempotency.ts',
      old: 'WHERE once.created_at <= ? OR once.created_at > ?\n  RETURNING key',
      new: "WHERE once.created_at <= ? OR once.created_at > ? OR once.result <> ''\n  RETURNING key",
    },
    {
      area: 'idempotency',
      bug: 'a write without a key is repeated when its commit got no answer',
      file: 'storage/postgres/writes.ts',
      old: '(isCommitLost(error) && once !== undefined)',
      new: '(isCommitLost(error) && (once !== undefined || true))',
    },
    {
      area: 'click limits',
      bug: 'the limit is compared in a subquery, which does not wait for other visitors',
      file: 'storage/statements/links/click-limits.ts',
      old: "const hasClicksLeftCondition = '(max_clicks IS NULL OR used_clicks < max_clicks)';",
      new: "const hasClicksLeftCondition = 'EXISTS (SELECT 1 FROM links o WHERE o.link_row = links.link_row AND (o.max_clicks IS NULL OR o.used_clicks < o.max_clicks))';",
    },
    {
      area: 'If-Match',
      bug: 'the revision is compared before the link is locked',
      file: 'storage/statements/links/record.ts',
      old: "const [, before] = await all(\n    db.lockRows('no key update', lockById, [idBytes(id), accountId]),\n    readLink(db, write),\n  );",
      new: 'const before = await readLink(db, write);',
    },
    {
      area: 'folder counts',
      bug: 'a folder is deleted without waiting for links that are being moved',
      file: 'storage/statements/groups/folders.ts',
      old: "const [, found] = await all(db.lockRows('update', anyFolder, folder), db.get(folderExists, folder));\n  if (found === undefined) return false;\n  await dissolve",
      new: 'const found = await db.get(folderExists, folder);\n  if (found === undefined) return false;\n  await dissolve',
    },
  ],
  'one node': [
    {
      area: 'cache',
      bug: 'a worker looks for changes of other workers twice a second, not every millisecond',
      file: 'storage/sqlite/fresh-reads.ts',
      old: 'const checkEveryMs = 1;',
      new: 'const checkEveryMs = 500;',
    },
    {
      area: 'leases',
      bug: 'a click journal that another process owns can be taken',
      file: 'clicks/journal/files/lock.ts',
      old: 'if ((error as { errcode?: number }).errcode === busy) return undefined;',
      new: 'if ((error as { errcode?: number }).errcode === busy) return { release() {} };',
    },
    {
      area: 'journal recovery',
      bug: 'the segment in which the applied clicks end is skipped',
      file: 'clicks/recovery.ts',
      old: 'if (segment < segmentOf(from)) continue;',
      new: 'if (segment <= segmentOf(from)) continue;',
    },
    {
      area: 'journal',
      bug: 'redirects are answered up to 300 ms before their clicks are written',
      file: 'clicks/journal/tick.ts',
      old: '    state.timers.setImmediate(state.endTick);\n  }\n  if (now) answer(true);',
      new: '    state.timers.setTimeout(state.endTick, 300);\n  }\n  Object.assign(state.tick.at(-1) ?? {}, { answer: undefined });\n  answer(true);',
    },
    {
      area: 'clicks',
      bug: 'of the clicks in one tick only the first keeps its dimensions',
      file: 'clicks/journal/tick.ts',
      old: 'records.addWritten(target.account, target.row, frames, from, to);',
      new: 'if (clicks[0]?.from === from) records.addWritten(target.account, target.row, frames, from, to);',
    },
    {
      area: 'external ids',
      bug: 'a deleted link keeps its externalId',
      file: 'storage/statements/links/external-ids.ts',
      old: 'WHERE account_id = ? AND external_id = ? AND deleted_at IS NULL',
      new: 'WHERE account_id = ? AND external_id = ?',
    },
    {
      area: 'folder counts',
      bug: 'a restored link is counted in no folder',
      file: 'storage/statements/links/links.ts',
      old: 'countLinks(db, accountId, { folderId, tagIds, space: gone.space }, 1)',
      new: 'countLinks(db, accountId, { folderId: folderId && null, tagIds, space: gone.space }, 1)',
    },
    {
      area: 'domain move',
      bug: 'the old code is not made an alias, so it outlives the link',
      file: 'storage/statements/links/aliases.ts',
      old: 'await db.run(updateAlias, [before.code, old]);',
    },
  ],
};
