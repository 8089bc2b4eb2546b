import type { Context } from '../context.ts';
import { Failure, type Problem, problem } from '../failures.ts';
import type { RecordFields, RecordOf } from '../record-fields.ts';
import { type Chunk, readInChunks } from './chunks.ts';

/** Fields of a tag, which is a label for links. Tag names are unique in the account, ignoring case. */
export const tagFields = {
  id: { kind: 'id', about: 'Identifier of the tag.', example: '0198c5a0-2222-7b3a-9c41-3f0f6f2f8a10' },
  name: { kind: 'text', about: 'Unique in the account, case-insensitive.', example: 'Spring' },
  linkCount: { kind: 'count', about: 'Number of live links with the tag.', example: 3 },
  createdAt: { kind: 'time', about: 'When the tag was created.', example: '2027-03-01T08:00:00.000Z' },
  updatedAt: {
    kind: 'time',
    about: 'When the tag was last renamed or another tag was merged into it.',
    example: '2027-03-01T08:00:00.000Z',
  },
} as const satisfies RecordFields;
export type Tag = RecordOf<typeof tagFields>;

export interface NewTag {
  readonly id: string;
  readonly name: string;
  readonly createdAt: number;
  /** Maximum number of tags in the account, including the new tag. */
  readonly limit: number;
}

/** Tags for a link. Missing tags are created with these ids. */
export interface TagChoice {
  readonly tags: readonly { readonly id: string; readonly name: string }[];
  readonly at: number;
  /** Maximum number of tags in the account. */
  readonly limit: number;
}

export const longestTagName = 50;
/** Maximum number of tags per link. */
export const maxTagsOfLink = 20;

// Allows letters, marks, digits, punctuation, symbols, spaces, and the joiners that several scripts and emoji need.
// Commas are rejected separately, because they separate tags in lists.
const allowed = /^(?:[\p{L}\p{M}\p{N}\p{P}\p{S} ]|\u200c|\u200d)*$/u;
const visible = /[\p{L}\p{N}\p{P}\p{S}]/u;
const blank = /[\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** Normalizes a tag name for storage: trims it and converts accented letters to one character each. */
export function tagName(text: string): string {
  return text.trim().normalize('NFC');
}

/** Returns the key of a tag name. Names that differ only in case have the same key. */
export function tagKey(name: string): string {
  return tagName(name).toUpperCase().toLowerCase();
}

/**
 * Returns the validation error for a tag name. Does not check the length.
 * @param label how messages refer to the name, such as `tags[2]`
 */
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

/** Returns the validation error for a link's first invalid tag name. */
export function tagsProblem(tags: readonly string[] | null | undefined): Problem | undefined {
  for (const [at, tag] of (tags ?? []).entries()) {
    const wrong = tagNameProblem(tag, 'tags', `tags[${at}]`);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

/** Creates a tag choice without duplicates. Names that differ only in case are duplicates. Null means no tags. */
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

/** Lists an account's tags, sorted by name. */
export function listTags({ storage }: Context, accountId: number): AsyncGenerator<Chunk<Tag>, void> {
  return readInChunks(
    (limit, after) => storage.tags(accountId, limit, after),
    ({ name }) => tagKey(name),
  );
}

/** @throws Failure TAG_NAME_TAKEN, LIMIT_REACHED */
export function createTag(context: Context, accountId: number, name: string): Promise<Tag> {
  const tag = { ...context.stamp(), name: tagName(name), limit: context.tagLimit };
  return context.writes.createTag(accountId, tag);
}
