import { type Parsed, parseFields } from '../../contract/fields.ts';
import { createRow } from '../../contract/links/bulk.ts';
import { fieldsOf, type LinkLine } from '../../importers/format.ts';
import type { Problem } from '../../model/failures.ts';
import { encodeDestination } from '../../model/links/destinations/destinations.ts';
import { linkFields } from '../../model/links/link-fields.ts';
import type { DraftRules } from '../../model/links/links.ts';
import { longestTagName, maxTagsOfLink, tagKey, tagName, tagNameProblem } from '../../model/links/tags.ts';
import { isBcryptHash } from '../../runtime/bcrypt.ts';
import { linkProblems } from '../rules/link-problems.ts';

/** An imported link after repair, and a list of the repairs. */
export interface MendedLink {
  readonly values: Partial<Parsed<typeof createRow>>;
  /** Validation errors that could not be repaired. */
  readonly problems: readonly Problem[];
  /** Descriptions of what was changed or dropped, one sentence per part. */
  readonly mended: readonly string[];
}

type Fields = Record<string, unknown>;
type ReportRepair = (part: string, what: string) => void;

/**
 * Fields that restrict access. If such a field must be dropped, the link is disabled so that it does not become public.
 */
const closing: ReadonlySet<string> = new Set(['password', 'maxClicks', 'expiresAt']);
const maxQuoted = 60;

/** Repairs a link by changing or dropping its invalid parts instead of rejecting it. */
export function mendLink(rules: DraftRules, line: LinkLine): MendedLink {
  const fields: Fields = fieldsOf(line);
  const mended: string[] = [];
  const report: ReportRepair = (part, what) => mended.push(`${part}: ${what}`);
  mendTexts(fields, report);
  if (line.tags !== undefined) fields['tags'] = mendTags(line.tags, report);
  mendUrls(fields, report);
  const { password, passwordHash, lost = [] } = line;
  const hasNoPassword = password === undefined && passwordHash === undefined;
  const isUnknown = passwordHash !== undefined && !isBcryptHash(passwordHash);
  if (isUnknown || (hasNoPassword && lost.includes('password'))) {
    fields['disabled'] = true;
    report('password', 'cannot be imported; the link is disabled.');
  }
  for (;;) {
    const { values, problems } = parseFields(createRow, fields);
    const more = problems.length > 0 ? problems : linkProblems(rules, values);
    // Accepts expiry dates in the past, so that expired links are imported unchanged.
    const all = more.filter(({ reason }) => reason !== 'in_the_past');
    const found = all.find(({ field }) => field !== 'url' && drop(fields, field));
    if (found === undefined) return { values, problems: all, mended };
    const [name = ''] = found.field.split(/[.[]/, 1);
    if (closing.has(name)) fields['disabled'] = true;
    report(found.field, `dropped${closing.has(name) ? '; the link is disabled' : ''}. ${found.message}`);
  }
}

/**
 * Drops a field, or the rule, app or parameter that a path such as `rules[1].to.url` refers to.
 * @returns false if the field does not exist
 */
function drop(fields: Fields, path: string): boolean {
  const [name = '', inside] = path.split(/[.[\]]+/);
  const value = fields[name];
  if (value === undefined) return false;
  const [, at = '', platform] = /^rules\[(\d+)\]\.to\.apps(?:\.(ios|android)|$)/.exec(path) ?? [];
  const to = (fields['rules'] as GivenRule[] | undefined)?.[Number(at)]?.to;
  if (at !== '' && to?.apps !== undefined) dropApp(to, platform);
  else if (name === 'rules' && Array.isArray(value) && value.length > 1)
    // If there are too many rules, drops the last rule. It matters least, because the first matching rule wins.
    fields[name] = value.toSpliced(inside ? Number(inside) : value.length - 1, 1);
  else if (name === 'utm' && inside) fields[name] = { ...(value as object), [inside]: undefined };
  else delete fields[name];
  return true;
}

const { title, description } = linkFields;

function mendTexts(fields: Fields, report: ReportRepair): void {
  const texts = { title: title.input, description: description.input };
  for (const [name, { max, ...input }] of Object.entries(texts)) {
    const text = fields[name];
    if (typeof text !== 'string') continue;
    const clean = 'multiline' in input ? cleanLines(text) : cleanText(text);
    const short = cut(clean, max);
    if (clean !== text) report(name, 'line breaks and control characters replaced by spaces.');
    if (short !== clean) report(name, `cut to ${max} characters.`);
    fields[name] = short;
  }
}

function cleanText(text: string): string {
  const spaced = text.toWellFormed().replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');
  return spaced === text ? text : spaced.trim();
}

function cleanLines(text: string): string {
  const lines = text.toWellFormed().replaceAll(/\r\n?/g, '\n');
  return lines.replaceAll(/(?![\n\t])\p{Cc}+/gu, ' ');
}

function cut(text: string, max: number): string {
  return text.length <= max ? text : [...text].slice(0, max).join('');
}

function quoted(text: string): string {
  return `"${cut(text.toWellFormed().replaceAll(/\p{Cc}/gu, ' '), maxQuoted)}"`;
}

function mendTags(tags: readonly string[], report: ReportRepair): string[] {
  const kept = new Map<string, string>();
  for (const tag of tags) {
    const clean = tag.replace(/[^\p{L}\p{M}\p{N}\p{P}\p{S}\u200c\u200d]+|,/gu, ' ').replace(/ {2,}/g, ' ');
    const isFine = tagNameProblem(tag, 'tags') === undefined;
    const name = tagName(cut(tagName(isFine ? tag : clean), longestTagName));
    if (tagNameProblem(name, 'tags') !== undefined)
      report('tags', `dropped ${quoted(tag)}: it has no visible character.`);
    else if (kept.size < maxTagsOfLink || kept.has(tagKey(name))) {
      if (name !== tagName(tag)) report('tags', `${quoted(tag)} is now ${quoted(name)}.`);
      kept.getOrInsert(tagKey(name), name);
    } else report('tags', `dropped ${quoted(tag)}: a link can have at most ${maxTagsOfLink} tags.`);
  }
  return [...kept.values()];
}

/**
 * Drops one app from a rule, or all apps if `platform` is undefined. Without an app, the rule redirects to its web URL.
 */
function dropApp(to: Target, platform: string | undefined): void {
  if (platform !== undefined) delete to.apps?.[platform];
  if (platform === undefined || Object.keys(to.apps ?? {}).length === 0) delete to.apps;
}

interface Target {
  url?: unknown;
  apps?: Record<string, unknown>;
  split?: Target[];
}
interface Condition {
  fact?: unknown;
  values?: unknown;
}
interface GivenRule {
  to?: Target;
  when?: Condition[];
}

function mendUrls(fields: Fields, report: ReportRepair): void {
  const encode = (part: string, url: unknown): unknown => {
    if (typeof url !== 'string') return url;
    const encoded = encodeDestination(url);
    if (encoded !== url) report(part, 'percent-encoded as browsers do.');
    return encoded;
  };
  fields['url'] = encode('url', fields['url']);
  if ('expiredUrl' in fields) fields['expiredUrl'] = encode('expiredUrl', fields['expiredUrl']);
  if (!Array.isArray(fields['rules'])) return;
  const rules: GivenRule[] = structuredClone(fields['rules']);
  for (const [at, { to, when }] of rules.entries()) {
    for (const target of [to, ...listOf<Target>(to?.split)])
      if (target?.url !== undefined) target.url = encode(`rules[${at}].to`, target.url);
    for (const condition of listOf<Condition>(when))
      if (condition.fact === 'language' && condition.values !== undefined)
        condition.values = listOf(condition.values).map(languageTag);
  }
  fields['rules'] = rules;
}

function listOf<T>(value: unknown): T[] {
  return Array.isArray(value) ? value : [];
}

/** Normalizes a language tag, because some services write `zh_Hans` or `de_AT.UTF-8`. */
export function languageTag<T>(text: T): T | string {
  return typeof text === 'string' ? text.replace(/\..*$/, '').replaceAll('_', '-') : text;
}
