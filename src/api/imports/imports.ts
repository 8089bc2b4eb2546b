import { apiPrefix } from '../../contract/endpoint.ts';
import type { importEndpoints } from '../../contract/imports/imports.ts';
import { problem } from '../../model/failures.ts';
import { type Import, importNotFound } from '../../model/imports/imports.ts';
import { domainNamed } from '../../model/links/domains.ts';
import { maxPasswords } from '../../model/links/passwords.ts';
import { formatTimestamp, parseTimestamp } from '../../model/timestamps.ts';
import { type ApiContext, Existing, type Handlers } from '../request/handler.ts';
import { type Reader, retryOverloaded } from '../request/reader.ts';
import { Exported, type MakeRows, readInChunks } from '../tables/table.ts';
import { batchOf } from './lines.ts';

const maxListed = 100;
const linesAtOnce = 1_000;
/** Dummy password hash for dry runs. Without it, dry runs would spend most of their time hashing. */
const noHash = `$argon2id$v=19$m=1,t=1,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`;
const reportColumns = ['line', 'key', 'code', 'outcome', 'reason', 'linkId'] as const;

function shown({
  readAt,
  createdAt,
  updatedAt,
  state,
  counts,
  position,
  onConflict,
  domain,
  ...found
}: Import) {
  return {
    ...found,
    readAt: formatTimestamp(readAt),
    onConflict,
    domain,
    state: state === 'removing' ? ('undoing' as const) : state,
    position,
    createdAt: formatTimestamp(createdAt),
    updatedAt: formatTimestamp(updatedAt),
    counts,
  };
}

function answer(found: Import) {
  return { success: true as const, data: shown(found) };
}

/** Returns an import. @throws Failure IMPORT_NOT_FOUND */
async function importOf({ storage }: ApiContext, accountId: number, id: string): Promise<Import> {
  const found = await storage.import(accountId, id);
  if (found === undefined) throw importNotFound();
  return found;
}

async function* reportRows(reader: Reader, id: string): AsyncGenerator<MakeRows> {
  const { context, key } = reader;
  for (let after = 0; ; ) {
    const lines = await retryOverloaded(after === 0, reader, async () =>
      context.storage.importedLines(key.accountId, id, after, linesAtOnce),
    );
    // Each repair to a link gets its own row, after the link's row.
    const rows = lines.flatMap(({ mended = [], ...line }) => [
      line,
      ...mended.map((reason) => ({ ...line, outcome: 'mended', reason })),
    ]);
    yield* readInChunks(rows.length, (at) => ({ ...rows[at] }));
    const last = lines.at(-1)?.line;
    if (last === undefined) return;
    after = last;
  }
}

export const importHandlers: Handlers<typeof importEndpoints> = {
  createImport: {
    rules: ({ body: { readAt } }) =>
      readAt !== undefined && parseTimestamp(readAt) === undefined
        ? [problem('readAt', 'invalid_format', 'readAt must be an ISO 8601 date or time.')]
        : [],
    async run({ context, key, body }) {
      const { source, instance = null, installation = null, readAt, onConflict, domain = null } = body;
      if (domain !== null) await domainNamed(context, key.accountId, domain);
      const { id, createdAt } = context.stamp();
      const { found, isNew } = await context.writes.createImport(key.accountId, {
        id,
        createdAt,
        source,
        instance,
        installation,
        domain,
        readAt: parseTimestamp(readAt) ?? createdAt,
        onConflict: onConflict ?? 'skip',
      });
      return isNew ? answer(found) : new Existing(answer(found));
    },
    location: (body) => `${apiPrefix}/imports/${body.data.id}`,
  },

  listImports: {
    async run({ context, key }) {
      const found = await context.storage.imports(key.accountId, maxListed);
      return { success: true, data: found.map(shown) };
    },
  },

  getImport: {
    run: async ({ context, key, params }) => answer(await importOf(context, key.accountId, params.id)),
  },

  checkImportLines: {
    async run({ context, key, body: { domain = null, lines } }) {
      if (domain !== null) await domainNamed(context, key.accountId, domain);
      const passwords = { ...context.passwords, hash: async () => noHash };
      const target = { installation: null, domain, onConflict: 'skip', readAt: context.now() } as const;
      const { links, refused } = await batchOf({ ...context, passwords }, key, target, {
        position: 0,
        lines,
      });
      const found = [
        ...refused.map(({ line, reason }) => ({ line, outcome: 'refused' as const, reason: reason ?? '' })),
        ...links.flatMap(({ line, mended }) =>
          mended.map((reason) => ({ line, outcome: 'mended' as const, reason })),
        ),
      ];
      return { success: true, data: found.sort((a, b) => a.line - b.line) };
    },
  },

  addImportLines: {
    rules: ({ body: { lines = [] } }) => {
      const passwords = new Set(
        lines.map((line) => line['password']).filter((one) => typeof one === 'string'),
      );
      const message = `lines must have at most ${maxPasswords} different passwords. Split them into several requests.`;
      return passwords.size > maxPasswords ? [problem('lines', 'out_of_range', message)] : [];
    },
    async run({ context, key, params, body }) {
      const found = await importOf(context, key.accountId, params.id);
      const batch = await batchOf(context, key, found, body);
      return answer(await context.writes.addImportLines(key.accountId, found.id, batch));
    },
  },

  updateImport: {
    async run({ context, key, params, body }) {
      const isPaused = body.state === 'paused';
      return answer(await context.writes.pauseImport(key.accountId, params.id, isPaused, context.now()));
    },
  },

  undoImport: {
    run: async ({ context, key, params }) =>
      answer(await context.writes.undoImport(key.accountId, params.id, context.now())),
  },

  exportImportReport: {
    async run({ query: { format = 'csv' }, params, ...call }) {
      const { context, key } = call;
      const { id } = await importOf(context, key.accountId, params.id);
      const rows = reportRows(call, id);
      return new Exported({ format, name: `import-${id}`, columns: reportColumns, rows });
    },
  },
};
