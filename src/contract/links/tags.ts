import * as z from 'zod';
import { limitReached } from '../../model/failures.ts';
import { longestTagName, maxTagsOfLink, tagFields } from '../../model/links/tags.ts';
import { created, endpoint, ok } from '../endpoint.ts';
import { anyText, text, words } from '../fields.ts';
import { exampleOf, responseShape } from '../record-shapes.ts';
import { clicksOfLinksByDay, timezone } from './link-days.ts';

// Pattern without commas, because commas separate tags in lists.
const noComma = '^[^\\u0000-\\u001f,]*$';

/** Schema for a link's tags in requests. */
export const tagNames = z
  .array(text(1, longestTagName).meta({ pattern: noComma }))
  .max(maxTagsOfLink)
  .nullish()
  .describe(
    `Tag names, at most ${maxTagsOfLink}, 1–${longestTagName} characters each, without commas. Missing tags are created. Null or an empty list removes all tags.`,
  );

/** Example ID of the tag that remains after `exampleTag` has been merged into it. */
export const otherTagId = '0198c5a0-3333-7b3a-9c41-3f0f6f2f8a10';
export const exampleTag = exampleOf(tagFields);
const id = responseShape(tagFields).id;
export const idInPath = id.meta({ example: exampleTag.id });
export const otherIdInPath = id.meta({ example: otherTagId });
const tag = z
  .object(responseShape(tagFields))
  .meta({ id: 'Tag', description: 'A tag and its number of links.' });
const nameField = {
  name: text(1, longestTagName).meta({
    pattern: noComma,
    description:
      '1–50 characters, at least one of them visible: letters, digits, symbols, spaces, and punctuation except commas; trimmed. Unique in the account, case-insensitive.',
  }),
};
const listed = tag
  .extend({ clicksByDay: clicksOfLinksByDay })
  .meta({ id: 'ListedTag', description: 'A tag; `clicksByDay` only with `include`.' });
const body = { data: tag };

export const tagEndpoints = {
  listTags: endpoint('GET', '/tags', {
    access: { key: 'links:read', bound: true },
    priority: 'list',
    summary: 'List tags',
    description: 'Returns all tags, sorted by name, with their link counts.',
    query: {
      include: words(['clicksByDay']).optional().describe('Fields to add to each tag: `clicksByDay`.'),
      timezone,
    },
    success: ok('The tags.', { data: z.array(listed) }, { data: [exampleTag] }),
    failures: ['VALIDATION_ERROR'],
  }),
  createTag: endpoint('POST', '/tags', {
    access: { key: 'links:write' },
    summary: 'Create a tag',
    description: 'You do not have to create tags first: adding a new tag to a link creates the tag.',
    body: nameField,
    success: created('The tag was created.', body, { data: { ...exampleTag, linkCount: 0 } }),
    exampleRequest: { body: { name: 'Spring' } },
    failures: ['TAG_NAME_TAKEN', limitReached('tags', 1_000)],
  }),
  renameTag: endpoint('PATCH', '/tags/:id', {
    params: { id: idInPath },
    access: { key: 'links:write' },
    summary: 'Rename a tag',
    description:
      'Links with the tag show the new name. If another tag has the name, the request fails; merge the two tags instead.',
    body: nameField,
    success: ok('The tag was renamed.', body, {
      data: { ...exampleTag, name: 'Easter', updatedAt: '2027-03-02T10:00:00.000Z' },
    }),
    exampleRequest: { body: { name: 'Easter' } },
    failures: ['TAG_NOT_FOUND', 'TAG_NAME_TAKEN'],
  }),
  mergeTags: endpoint('POST', '/tags/:id/merge', {
    params: { id: idInPath },
    access: { key: 'links:write' },
    summary: 'Merge a tag into another',
    description: 'Replaces the tag with another one on all links and deletes it, in one atomic step.',
    body: { into: anyText().meta({ format: 'uuid' }).describe('ID of the tag to keep.') },
    success: ok('The tag that was kept.', body, {
      data: { ...exampleTag, id: otherTagId, updatedAt: '2027-03-02T10:00:00.000Z' },
    }),
    exampleRequest: { body: { into: otherTagId } },
    failures: ['TAG_NOT_FOUND'],
  }),
  deleteTag: endpoint('DELETE', '/tags/:id', {
    params: { id: idInPath },
    access: { key: 'links:write' },
    summary: 'Delete a tag',
    description: 'Removes the tag from all links, in one atomic step. No link is deleted.',
    success: { status: 204, description: 'The tag was deleted.' },
    failures: ['TAG_NOT_FOUND'],
  }),
} as const;
