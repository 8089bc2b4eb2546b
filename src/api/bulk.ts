import type { BodyOf } from '../contract/endpoint.ts';
import { remedyFor } from '../contract/errors.ts';
import { type Parsed, parseFields, type Shape } from '../contract/fields.ts';
import { type bulkEndpoints, bulkFilter, createRow, tagChanges, updateRow } from '../contract/links/bulk.ts';
import { linkEndpoints } from '../contract/links/links.ts';
import type { LinkDomain } from '../model/domains/hosts.ts';
import { Failure, invalidCursor, type Problem, problem, refused } from '../model/failures.ts';
import { isId } from '../model/ids.ts';
import * as bulk from '../model/links/bulk.ts';
import { domainNamed } from '../model/links/domains.ts';
import { searchProblems } from '../model/links/find-links.ts';
import { folderNotFound } from '../model/links/folders.ts';
import { apiValueOf } from '../model/links/link-field-values.ts';
import * as links from '../model/links/links.ts';
import { duplicateCheckFor, newLinkOf } from '../model/links/new-links.ts';
import { maxPasswords } from '../model/links/passwords.ts';
import { tagChoice, tagKey, tagsProblem } from '../model/links/tags.ts';
import { createYield } from '../runtime/yield.ts';
import { created } from './links.ts';
import { type ApiContext, type Call, callerOf, type Handlers } from './request/handler.ts';
import { completeEdit, editProblems, linkProblems } from './rules/link-problems.ts';

type BulkCall = Call<typeof bulkEndpoints.bulkLinks>;
type Body = BodyOf<typeof bulkEndpoints.bulkLinks>;
type Row = Readonly<Record<string, unknown>>;
type Write = bulk.BulkWrite | bulk.Refusal;

const manyPasswords = `links must have at most ${maxPasswords} different passwords. Split them into several requests.`;

const targets = ['links', 'ids', 'filter'] as const;

/** Returns the fields (`links`, `ids`, `filter`) that can select the links for an action. */
function targetsOf({ action, set }: Partial<Row>): readonly (typeof targets)[number][] {
  if (action === 'create') return ['links'];
  if (action === 'update' && !set) return ['links'];
  return action === 'restore' ? ['ids'] : ['ids', 'filter'];
}

function bodyProblems({
  context,
  key,
  body,
  sent,
}: Omit<BulkCall, 'body'> & { readonly body: Partial<Body> }): Problem[] {
  const { action, filter, expectedCount, cursor, tags, set } = body;
  if (action === undefined) return [];
  // Reads the body as sent, because the parsed body lacks fields of the wrong type.
  const allowed = targetsOf(sent);
  const given = targets.filter((name) => sent[name] !== undefined && sent[name] !== null);
  const [target] = given;
  const problems: Problem[] = [];
  if (given.length !== 1 || target === undefined || !allowed.includes(target))
    problems.push(
      problem(
        target ?? allowed[0] ?? 'ids',
        given.length === 0 ? 'missing' : 'not_allowed',
        targetRule(sent),
      ),
    );
  if (filter && !sent['cursor'] && typeof expectedCount !== 'number')
    problems.push(
      problem(
        'expectedCount',
        'missing',
        'expectedCount is required with filter: the number of links you expect it to match.',
      ),
    );
  if (filter) problems.push(...filterProblems(context, key.accountId, filter, cursor ?? undefined));
  if (action === 'move' && body.folderId === undefined)
    problems.push(
      problem('folderId', 'missing', 'folderId is required to move links. Use null for no folder.'),
    );
  if (action === 'tag') problems.push(...tagProblems(tags ?? undefined));
  if (set) problems.push(...fieldProblems(updateRow, set, 'set.'));
  if (passwordsIn(body).size > maxPasswords) problems.push(problem('links', 'out_of_range', manyPasswords));
  return problems;
}

function filterProblems(
  context: ApiContext,
  accountId: number,
  filter: Row,
  cursor: string | undefined,
): Problem[] {
  // Rejects unknown filters: if they were ignored, the action would change more links than intended.
  const unknown = Object.keys(filter).find((name) => !Object.hasOwn(bulkFilter, name));
  if (unknown !== undefined)
    return [
      problem('filter', 'unknown_value', `filter must contain only: ${Object.keys(bulkFilter).join(', ')}.`),
    ];
  const { values, problems } = parseFields(bulkFilter, filter);
  if (problems.length > 0) return problems.map((one) => inside('filter.', one));
  const inner = cursor === undefined ? undefined : bulk.listCursorIn(cursor);
  if (cursor !== undefined && inner === undefined) return [invalidCursor];
  const query = { ...values, limit: 1, ...(inner && { cursor: inner.cursor }) };
  return searchProblems(context, accountId, query).map((one) =>
    one.field === 'cursor' ? one : inside('filter.', one),
  );
}

function targetRule(body: Row): string {
  const [first, second] = targetsOf(body);
  const names = second === undefined ? first : `either ${first} or ${second}`;
  const more = body['action'] === 'update' ? ', or with set, either ids or filter' : '';
  return `action ${body['action']} requires ${names}${body['set'] ? '' : more}. Send only one of ${targets.join(', ')}.`;
}

function tagProblems(tags: Row | undefined): Problem[] {
  if (tags === undefined)
    return [problem('tags', 'missing', 'tags is required. It must have add, remove, or both; or only set.')];
  const { values, problems } = parseFields(tagChanges, tags);
  const { add, remove, set } = values;
  if (problems.length > 0) return problems.map((one) => inside('tags.', one));
  const bad = [add, remove, set].flatMap((names) => tagsProblem(names) ?? []);
  if (bad.length > 0) return bad.slice(0, 1);
  if ((set ? [set] : []).length === (add || remove ? 1 : 0))
    return [problem('tags', 'not_allowed', 'tags must have add, remove, or both; or only set.')];
  return [];
}

function inside(path: string, { field, message, ...rest }: Problem): Problem {
  return { ...rest, field: path + field, message: message.startsWith(field) ? path + message : message };
}

function fieldProblems(shape: Shape, row: Row, path: string): Problem[] {
  return parseFields(shape, row).problems.map((one) => inside(path, one));
}

/** Fields that a bulk update cannot change, each with advice on how to change it. */
const remedies: Readonly<Record<string, string | undefined>> = {
  customCode: remedyFor('IMMUTABLE_FIELD', 'customCode'),
  shortCode: remedyFor('IMMUTABLE_FIELD', 'shortCode'),
  folderId: 'Use action move instead.',
  destinationUrl: 'Use url.',
};

/**
 * Context for the functions that convert rows to writes. These functions throw the same failure as a request for a
 * single link.
 */
interface Maker {
  readonly context: ApiContext;
  readonly caller: links.Caller;
  /** Hashes of all passwords in the rows, by password. */
  readonly hashes: ReadonlyMap<string, string>;
  /** Domains by host, for all hosts in the rows. The value is a `Failure` if the caller cannot use the host. */
  readonly domains: ReadonlyMap<string, LinkDomain | undefined | Failure>;
}

function parsed<S extends Shape>(shape: S, row: Row, ignored: readonly string[] = []): Partial<Parsed<S>> {
  const kept = Object.fromEntries(Object.entries(row).filter(([name]) => !ignored.includes(name)));
  const { values, problems } = parseFields(shape, kept);
  if (problems.length > 0) throw refused(problems);
  return values;
}

/** Returns the distinct valid passwords in the rows. Rows with an invalid password are rejected later. */
function passwordsIn({ links: rows, set }: Partial<Body>): Set<string> {
  const given = [...(rows ?? []), set ?? {}].map((row) => row['password']);
  const texts = given.filter((one) => typeof one === 'string');
  return new Set(texts.filter((one) => createRow.password.safeParse(one).success));
}

/**
 * Hashes each distinct password once, because hashing is slow and bulk updates often set the same password for many
 * links.
 */
async function hashesIn(
  accountId: number,
  { passwords }: ApiContext,
  body: Body,
): Promise<ReadonlyMap<string, string>> {
  const hashes = new Map<string, string>();
  for (const password of passwordsIn(body)) hashes.set(password, await passwords.hash(accountId, password));
  return hashes;
}

/** Looks up the domain of each distinct host in the rows once. */
async function domainsIn(
  accountId: number,
  context: ApiContext,
  { links: rows }: Body,
): Promise<Maker['domains']> {
  const domains = new Map<string, LinkDomain | undefined | Failure>();
  for (const { domain: host } of rows ?? []) {
    if (typeof host !== 'string' || domains.has(host)) continue;
    const found = domainNamed(context, accountId, host);
    domains.set(
      host,
      await found.catch((error: unknown) => (error instanceof Failure ? error : Promise.reject(error))),
    );
  }
  return domains;
}

function hashed<T extends { readonly password?: string | null | undefined }>({ hashes }: Maker, given: T): T {
  const { password } = given;
  return typeof password === 'string' ? { ...given, password: hashes.get(password) } : given;
}

function createWrite(maker: Maker, row: Row): Write {
  const { context, caller } = maker;
  const ignored: readonly string[] =
    (linkEndpoints.shorten.ignoredOn as Partial<Record<string, readonly string[]>>)[caller.plan] ?? [];
  const draft = parsed(createRow, row, ignored) as links.LinkDraft;
  const problems = linkProblems(context, draft, caller.domain);
  if (problems.length > 0) throw refused(problems);
  const domain = draft.domain == null ? caller.domain : maker.domains.get(draft.domain);
  if (domain instanceof Failure) throw domain;
  const duplicateCheck = duplicateCheckFor(context, draft);
  const link = newLinkOf(context, caller, hashed(maker, draft), domain);
  return duplicateCheck === undefined ? ['createLink', link] : ['createUnlessExists', link, duplicateCheck];
}

async function updateWrite(maker: Maker, id: unknown, row: Row): Promise<Write> {
  const { context, caller } = maker;
  if (typeof id !== 'string') throw refused([problem('id', 'missing', 'id is required.')]);
  const ignored: readonly string[] =
    (linkEndpoints.updateLink.ignoredOn as Partial<Record<string, readonly string[]>>)[caller.plan] ?? [];
  const edit = parsed(updateRow, row, ignored);
  const immutable = Object.keys(remedies).filter((field) => Object.hasOwn(row, field));
  const problems = [
    ...editProblems(context, edit),
    ...immutable.map((field) => links.immutableProblem(field)),
  ];
  if (problems.length > 0) throw refused(problems);
  const linkId = idIn(id, links.linkNotFound);
  const whole = await completeEdit(context, () => links.getLink(context, caller.accountId, linkId), edit);
  return ['updateLink', linkId, links.changeOf(context, caller, hashed(maker, whole)), context.now()];
}

/** Returns a row's ID, normalized. @throws Failure (from `notFound`) if the ID is malformed */
function idIn(text: Row | string, notFound: () => Failure): string {
  if (typeof text !== 'string' || !isId(text)) throw notFound();
  return text.toLowerCase();
}

/** Returns the function that converts a row or an ID to the write that the requested action needs. */
function writerOf(maker: Maker, body: Body): (row: Row | string) => Write | Promise<Write> {
  const { context, caller } = maker;
  const { now } = context;
  const linkIdIn = (row: Row | string): string => idIn(row, links.linkNotFound);
  switch (body.action) {
    case 'create':
      return (row) => createWrite(maker, row as Row);
    case 'update':
      return (row) =>
        typeof row === 'string'
          ? updateWrite(maker, row, body.set ?? {})
          : updateWrite(maker, row['id'], row);
    case 'move': {
      const { folderId = null } = body;
      return (id) => ['moveLink', linkIdIn(id), folderId && idIn(folderId, folderNotFound), now()];
    }
    case 'tag': {
      const { add, remove, set } = parsed(tagChanges, body.tags ?? {});
      if (set) return (id) => updateWrite(maker, id, { tags: set });
      const edit = { add: tagChoice(context, add ?? []), remove: (remove ?? []).map(tagKey) };
      return (id) => ['tagLink', linkIdIn(id), edit, now()];
    }
    case 'delete':
      return (id) => ['deleteLink', linkIdIn(id), now()];
    case 'restore':
      return (id) => ['restoreLink', linkIdIn(id), now(), context.linkQuotas[caller.plan]];
  }
}

/** Yields to the event loop between rows, so that redirects are not delayed. */
async function writesOf(write: ReturnType<typeof writerOf>, rows: readonly (Row | string)[]) {
  const pause = createYield();
  const writes: Write[] = [];
  for (const row of rows) {
    await pause();
    try {
      const made = write(row);
      writes.push(made instanceof Promise ? await made : made);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      writes.push(bulk.refusalFrom(error));
    }
  }
  return writes;
}

function resultOf(context: ApiContext, outcome: bulk.BulkOutcome, row: Row | string | undefined) {
  if ('refused' in outcome) {
    const { code, message, problems: [first] = [] } = outcome.refused;
    const remedy = (code === 'IMMUTABLE_FIELD' && remedies[first?.field ?? '']) || remedyFor(code);
    const id = outcome.id ?? (typeof row === 'string' ? row : row?.['id']);
    return {
      status: 'failed' as const,
      id: typeof id === 'string' ? id : null,
      link: null,
      error: { code, field: first?.field ?? null, message: remedy ? `${message} ${remedy}` : message },
    };
  }
  if (!('link' in outcome)) return { status: 'done' as const, id: outcome.id, link: null, error: null };
  const previous = outcome.previous && {
    previous: Object.fromEntries(
      Object.entries(outcome.previous).map(([name, value]) => [name, apiValueOf(name, value)]),
    ),
  };
  const { link } = outcome;
  return { status: 'done' as const, id: link.id, link: created(context, link), error: null, ...previous };
}

export const bulkHandlers: Handlers<typeof bulkEndpoints> = {
  bulkLinks: {
    rules: bodyProblems,
    async run({ context, key, body }: BulkCall) {
      const maker = {
        context,
        caller: callerOf(key),
        hashes: await hashesIn(key.accountId, context, body),
        domains: await domainsIn(key.accountId, context, body),
      };
      const { filter, cursor, expectedCount, limit } = body;
      const place = {
        cursor: cursor ?? undefined,
        expectedCount: expectedCount ?? undefined,
        limit: limit ?? undefined,
      };
      const found = filter
        ? await bulk.findLinkIds(context, key.accountId, parsed(bulkFilter, filter), place)
        : undefined;
      const rows = found?.ids ?? body.links ?? body.ids ?? [];
      // Processes an account's requests one at a time, so that links are created in request order.
      const writes = await context.inOrder(key.accountId, () => writesOf(writerOf(maker, body), rows));
      const { outcomes, remaining, nextCursor } = await bulk.writeMany(
        context,
        key.accountId,
        writes,
        body.mode ?? 'each',
        found?.remainder,
        body.previous ?? [],
      );
      const results = outcomes.map((outcome, at) => resultOf(context, outcome, rows[at]));
      const done = results.filter(({ status }) => status === 'done').length;
      const counts = { done, failed: results.length - done, remaining, nextCursor };
      return { success: true, data: { ...counts, results } };
    },
  },
};
