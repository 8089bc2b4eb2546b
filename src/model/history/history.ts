import { choosesExpiry } from '../accounts/plans.ts';
import type { Context } from '../context.ts';
import { Failure } from '../failures.ts';
import { isProblem } from '../links/destinations/destinations.ts';
import { readTarget } from '../links/destinations/templates.ts';
import { comparedFields, everyField } from '../links/link-field-values.ts';
import type { Link } from '../links/link-records.ts';
import { type Caller, getLink } from '../links/links.ts';
import { tagChoice, tagKey } from '../links/tags.ts';
import { type AccountEvent, changesOf, type Fields } from './events.ts';
import type { IfMatch } from './revisions.ts';

const emptyValues = { flag: 0, count: 0 } as const;

/** Returns a link as it was after an event, with 0 clicks. Secrets are replaced by a placeholder. */
export function linkAfter({ body, targetId, at, linkCreatedAt, revision }: AccountEvent): Link {
  const fields = everyField.map(([name, { kind }]) => {
    const value = body?.[name] ?? emptyValues[kind as 'flag'] ?? null;
    return [name, value === true ? '' : value];
  });
  return {
    ...(Object.fromEntries(fields) as Link),
    id: targetId ?? '',
    createdAt: linkCreatedAt ?? at,
    // Changes without a revision do not change `updatedAt`.
    updatedAt: revision === null ? Number(body?.['updatedAt'] ?? at) : at,
    revision: revision ?? Number(body?.['revision'] ?? 0),
    host: (body?.['host'] as string | undefined) ?? null,
    tags: (body?.['tags'] as string[]) ?? [],
    space: '',
    clicks: 0,
    lastClickAt: null,
  };
}

/**
 * Returns a link's fields at a revision: the values after the event that created this revision or, if that event is no
 * longer stored, the values before the next event.
 * @throws Failure REVISION_NOT_FOUND
 */
async function fieldsAt(
  { storage }: Context,
  accountId: number,
  id: string,
  revision: number,
): Promise<Fields> {
  const events = await storage.revisionEvents(accountId, id, revision);
  const own = events.find((event) => event.revision === revision);
  if (own !== undefined) return own.body ?? {};
  const next = events.find((event) => event.revision === revision + 1);
  if (next === undefined || revision < 1) throw new Failure('REVISION_NOT_FOUND');
  const before = Object.entries(changesOf(next)).map(([field, { from }]) => [field, from] as const);
  return { ...next.body, ...Object.fromEntries(before) };
}

const flags = new Set(everyField.filter(([, { kind }]) => kind === 'flag').map(([name]) => name));

/** Returns a field's value. The history omits empty fields, so they get their empty value (0 or null). */
function valueIn(then: Fields, name: (typeof comparedFields)[number]): unknown {
  return then[name] ?? (flags.has(name) ? 0 : null);
}

/**
 * Returns the names of fields that differ between a revision and the current link but are never restored: code, host
 * and password.
 */
function skippedFields(then: Fields, now: Link): string[] {
  const current = { code: now.code, host: now.host ?? null, password: now.password === null ? null : true };
  return Object.entries(current).flatMap(([name, value]) => ((then[name] ?? null) === value ? [] : [name]));
}

interface RollBack {
  readonly id: string;
  readonly revision: number;
  readonly ifMatch: IfMatch;
  /** Returns the names of the given fields that the current rules reject. */
  readonly currentlyRefused: (fields: Fields) => readonly string[];
}

/**
 * Restores an earlier revision of a link, as a new revision. Skips code, host and password, fields that refer to a
 * deleted folder or tag, and values that current rules or the caller's plan reject, such as a blocked destination.
 * @returns the link, and the fields that were not restored
 * @throws Failure LINK_NOT_FOUND, REVISION_NOT_FOUND, EXTERNAL_ID_TAKEN, REVISION_MISMATCH
 */
export async function rollBack(
  context: Context,
  caller: Caller,
  { id, revision, ifMatch, currentlyRefused }: RollBack,
): Promise<{ link: Link; skipped: readonly string[] }> {
  const { accountId } = caller;
  const { storage } = context;
  const now = await getLink(context, accountId, id);
  const then = await fieldsAt(context, accountId, now.id, revision);
  const skipped = skippedFields(then, now);
  const wanted: Record<string, unknown> = Object.fromEntries(
    comparedFields.map((name) => [name, valueIn(then, name)]),
  );
  const changed = comparedFields.filter((name) => wanted[name] !== now[name]);
  const sent = Object.fromEntries(changed.map((name) => [name, wanted[name]]));
  const refused = new Set(currentlyRefused({ ...sent, template: wanted['template'] }));
  if (!choosesExpiry(caller.plan)) refused.add('expiresAt');
  for (const name of changed.filter((name) => refused.has(name))) {
    delete wanted[name];
    skipped.push(name);
  }
  const folderId = (then['folderId'] as string | undefined) ?? null;
  const hasFolder = folderId === null || (await storage.folder(accountId, folderId)) !== undefined;
  if (!hasFolder) skipped.push('folderId');
  const names = (then['tags'] as readonly string[] | undefined) ?? [];
  const known = new Set((await storage.tags(accountId, context.tagLimit)).map(({ name }) => tagKey(name)));
  const there = names.filter((name) => known.has(tagKey(name)));
  if (there.length < names.length) skipped.push('tags');
  const isTemplate = (wanted['template'] ?? now.template) === 1;
  const read = readTarget(String(wanted['destination'] ?? ''), context.destinations, isTemplate);
  if (isProblem(read)) delete wanted['destination'];
  else wanted['location'] = read.location;
  const change = { ...wanted, tags: tagChoice(context, there), ...(hasFolder && { folderId }) };
  const link = await context.writes.rollBackLink(accountId, now.id, change, context.now(), ifMatch);
  return { link, skipped };
}
