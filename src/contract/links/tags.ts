import * as z from 'zod';
import { limitReached } from '../../model/failures.ts';
import { longestTagName, maxTagsOfLink } from '../../model/links/tags.ts';
import { endpoint } from '../endpoint.ts';
import { anyText, count, text, timestamp, uuid, words } from '../fields.ts';
import { clicksOfLinksByDay, timezone } from './link-days.ts';

// Commas separate tags in lists.
const noComma = '^[^\\u0000-\\u001f,]*$';

/** The tags of a link, as clients send them. */
export const tagNames = z
  .array(text(1, longestTagName).meta({ pattern: noComma }))
  .max(maxTagsOfLink)
  .nullish()
  .describe(
    `Names of its tags, at most ${maxTagsOfLink}, 1 to ${longestTagName} characters each, without commas; those that the account does not have yet are made. Null or an empty list takes all off.`,
  );

const exampleTagId = '0198c5a0-2222-7b3a-9c41-3f0f6f2f8a10';
const otherTagId = '0198c5a0-3333-7b3a-9c41-3f0f6f2f8a10';
const idInPath = uuid('Identifier of the tag.').meta({ example: exampleTagId });
const tag = z
  .object({
    id: uuid('Identifier of the tag.'),
    name: z.string().describe('Unique in the account, without regard to case.'),
    linkCount: count('How many links that are not deleted carry it.'),
    createdAt: timestamp('When the tag was made.'),
    updatedAt: timestamp('When the tag was last renamed, or another one was merged into it.'),
  })
  .meta({ id: 'Tag', description: 'A tag, and how many links carry it.' });
const nameField = {
  name: text(1, longestTagName).meta({
    pattern: noComma,
    description:
      '1 to 50 characters, at least one of them visible: letters, digits, symbols, spaces, and punctuation but for commas; trimmed. Unique in the account, without regard to case.',
  }),
};
const listed = tag
  .extend({ clicksByDay: clicksOfLinksByDay })
  .meta({ id: 'ListedTag', description: 'A tag, and `clicksByDay` by `include` only.' });
const one = z.object({ success: z.literal(true), data: tag });
const exampleTag = {
  id: exampleTagId,
  name: 'Spring',
  linkCount: 3,
  createdAt: '2027-03-01T08:00:00.000Z',
  updatedAt: '2027-03-01T08:00:00.000Z',
};

export const tagEndpoints = {
  listTags: endpoint({
    method: 'GET',
    path: '/tags',
    access: { key: 'links:read', bound: true },
    priority: 'list',
    summary: 'List tags',
    description: 'All tags in the order of their names, with the number of links that carry each.',
    query: {
      include: words(['clicksByDay']).optional().describe('More about each tag: `clicksByDay`.'),
      timezone,
    },
    success: {
      status: 200,
      description: 'The tags.',
      body: z.object({ success: z.literal(true), data: z.array(listed) }),
      example: { success: true, data: [exampleTag] },
    },
    failures: ['VALIDATION_ERROR'],
  }),
  createTag: endpoint({
    method: 'POST',
    path: '/tags',
    access: { key: 'links:write' },
    priority: 'write',
    summary: 'Create a tag',
    description: 'A tag need not be made before: links that name it make it.',
    body: nameField,
    success: {
      status: 201,
      description: 'The tag was created.',
      body: one,
      example: { success: true, data: { ...exampleTag, linkCount: 0 } },
    },
    exampleRequest: { body: { name: 'Spring' } },
    failures: ['TAG_NAME_TAKEN', limitReached('tags', 1_000)],
  }),
  renameTag: endpoint({
    method: 'PATCH',
    path: '/tags/:id',
    params: { id: idInPath },
    access: { key: 'links:write' },
    priority: 'write',
    summary: 'Rename a tag',
    description:
      'The links that carry it show the new name. A name that another tag has is refused: merge the two instead.',
    body: nameField,
    success: {
      status: 200,
      description: 'The tag has the new name.',
      body: one,
      example: {
        success: true,
        data: { ...exampleTag, name: 'Easter', updatedAt: '2027-03-02T10:00:00.000Z' },
      },
    },
    exampleRequest: { body: { name: 'Easter' } },
    failures: ['TAG_NOT_FOUND', 'TAG_NAME_TAKEN'],
  }),
  mergeTags: endpoint({
    method: 'POST',
    path: '/tags/:id/merge',
    params: { id: idInPath },
    access: { key: 'links:write' },
    priority: 'write',
    summary: 'Merge a tag into another',
    description:
      'Every link that carries the tag carries the other one instead, at the same moment however many they are, and the tag is gone.',
    body: { into: anyText().meta({ format: 'uuid' }).describe('Identifier of the tag that stays.') },
    success: {
      status: 200,
      description: 'The tag that stays.',
      body: one,
      example: {
        success: true,
        data: { ...exampleTag, id: otherTagId, updatedAt: '2027-03-02T10:00:00.000Z' },
      },
    },
    exampleRequest: { body: { into: otherTagId } },
    failures: ['TAG_NOT_FOUND'],
  }),
  deleteTag: endpoint({
    method: 'DELETE',
    path: '/tags/:id',
    params: { id: idInPath },
    access: { key: 'links:write' },
    priority: 'write',
    summary: 'Delete a tag',
    description: 'No link carries it any more, at the same moment however many did. No link is deleted.',
    success: { status: 204, description: 'The tag is deleted.' },
    failures: ['TAG_NOT_FOUND'],
  }),
} as const;
