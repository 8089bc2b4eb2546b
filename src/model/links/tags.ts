import type { Context } from '../context.ts';
import { Failure, type Problem, problem } from '../failures.ts';
import { isId } from '../ids.ts';
import { inPieces, type Piece } from './pieces.ts';

/** A word that links of an account carry; its name is unique in the account without regard to case. */
export interface Tag {
  readonly id: string;
  readonly name: string;
  /** Live links that carry it. */
  readonly linkCount: number;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export interface NewTag {
  readonly id: string;
  readonly name: string;
  readonly createdAt: number;
  /** The limit of the account's tags, this one included. */
  readonly limit: number;
}

/** Tags that a link is to carry. Those that do not exist yet are made, with these ids. */
export interface TagChoice {
  readonly tags: readonly { readonly id: string; readonly name: string }[];
  readonly at: number;
  /** The limit of the account's tags. */
  readonly limit: number;
}

export const longestTagName = 50;
/** Maximum number of tags of one link. */
export const maxTagsOfLink = 20;

// Letters, marks, digits, punctuation, symbols and spaces, and what joins letters and pictures in words of several
// scripts. No comma: lists of tags are separated by it.
const allowed = /^(?:[\p{L}\p{M}\p{N}\p{P}\p{S} ]|\u200c|\u200d)*$/u;
const visible = /[\p{L}\p{N}\p{P}\p{S}]/u;
const blank = /[\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** A name as it is kept: without spaces around it, letters with accents as one character. */
export function tagName(text: string): string {
  return text.trim().normalize('NFC');
}

/** What names of one tag have in common: all but the case of letters. */
export function tagKey(name: string): string {
  return tagName(name).toUpperCase().toLowerCase();
}

/** What is wrong with a name beyond its length. @param label what messages call it, such as `tags[2]` */
export function tagNameProblem(text: string, field: string, label = field): Problem | undefined {
  const name = tagName(text);
  if (!visible.test(name.replace(blank, '')))
    return problem(field, 'too_short', `${label} must contain at least one visible character.`);
  if (!allowed.test(name) || name.includes(','))
    return problem(
      field,
      'invalid_characters',
      `${label} must contain only letters, digits, symbols, spaces, and punctuation except commas.`,
    );
  return undefined;
}

/** What is wrong with the first bad name among the tags of a link. */
export function tagsProblem(tags: readonly string[] | null | undefined): Problem | undefined {
  for (const [at, tag] of (tags ?? []).entries()) {
    const wrong = tagNameProblem(tag, 'tags', `tags[${at}]`);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

/** The same tag under several spellings counts once; null is the same as none. */
export function tagChoice(context: Context, names: readonly string[] | null): TagChoice {
  const byKey = new Map((names ?? []).map((name) => [tagKey(name), tagName(name)] as const).reverse());
  const tags = [...byKey.values()].reverse().map((name) => ({ id: context.stamp().id, name }));
  return { tags, at: context.now(), limit: context.tagLimit };
}

export function tagNotFound(): Failure {
  return new Failure('TAG_NOT_FOUND');
}

export function tagNameTaken(name: string): Failure {
  return new Failure('TAG_NAME_TAKEN', `The account already has a tag "${name}". Choose another name.`);
}

/** An account's tags, in the order of their names. */
export function listTags({ storage }: Context, accountId: number): AsyncGenerator<Piece<Tag>, void> {
  return inPieces(
    (limit, after) => storage.tags(accountId, limit, after),
    ({ name }) => tagKey(name),
  );
}

/** @throws Failure TAG_NAME_TAKEN, LIMIT_REACHED */
export function createTag(context: Context, accountId: number, name: string): Promise<Tag> {
  const tag = { ...context.stamp(), name: tagName(name), limit: context.tagLimit };
  return context.writes.createTag(accountId, tag);
}

/** @throws Failure TAG_NOT_FOUND, TAG_NAME_TAKEN */
export async function renameTag(context: Context, accountId: number, id: string, name: string): Promise<Tag> {
  if (!isId(id)) throw tagNotFound();
  return context.writes.renameTag(accountId, id.toLowerCase(), tagName(name), context.now());
}

/** Every link that carries the one carries the other instead, at once. @throws Failure TAG_NOT_FOUND */
export async function mergeTags(context: Context, accountId: number, id: string, into: string): Promise<Tag> {
  if (!isId(id) || !isId(into)) throw tagNotFound();
  return context.writes.mergeTags(accountId, id.toLowerCase(), into.toLowerCase(), context.now());
}

/** No link carries it any more, at once. @throws Failure TAG_NOT_FOUND */
export async function deleteTag(context: Context, accountId: number, id: string): Promise<void> {
  if (!isId(id) || !(await context.writes.deleteTag(accountId, id.toLowerCase()))) throw tagNotFound();
}
