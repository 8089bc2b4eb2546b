import * as z from 'zod';
import { maxBulkRows, type PreviousField, previousFields } from '../../model/links/bulk.ts';
import { linkStates } from '../../model/links/link-search.ts';
import { endpoint, ok } from '../endpoint.ts';
import { count, type Shape, text, timestamp, uuid } from '../fields.ts';
import { everyIncluded } from './link-answers.ts';
import { exampleLinkId } from './link-examples.ts';
import { linkEndpoints } from './links.ts';
import { tagNames } from './tags.ts';

/** Maximum body size in bytes. This is enough for the maximum number of links with several thousand bytes per link. */
const largestBody = 1024 * 1024;

const actions = ['create', 'update', 'move', 'tag', 'delete', 'restore'] as const;
export type BulkAction = (typeof actions)[number];

/** Fields of a row that creates a link. They are the same as in `POST /shorten`. */
export const createRow = linkEndpoints.shorten.body;
/** Fields of a row that updates a link. `url` changes the destination. */
export const updateRow = {
  ...linkEndpoints.updateLink.body,
  url: linkEndpoints.shorten.body.url.optional(),
};
/** Fields of the `tags` object, which changes the links' tags. */
export const tagChanges = {
  add: tagNames.describe('Tags to add; missing tags are created.'),
  remove: tagNames.describe('Tags to remove.'),
  set: tagNames.describe('Tags that replace all tags of the link.'),
};

/** Rows are validated one by one, so that an invalid row does not fail the request. */
const row = z.looseObject({});

/** Fields of `filter`. */
const { folderId, externalId, archived, search, createdAfter, createdBefore } = linkEndpoints.listLinks.query;
const { destinationHost, destination, tag, tagMatch, domain, managedBy } = linkEndpoints.listLinks.query;
export const bulkFilter = {
  folderId,
  externalId,
  archived,
  search,
  createdAfter,
  createdBefore,
  destinationHost,
  destination,
  tag,
  tagMatch,
  domain,
  managedBy,
  status: z.enum(linkStates).optional().describe('Only links in this state.'),
};

const mode = z
  .enum(['each', 'atomic'])
  .nullish()
  .describe('`each` (default): a row that fails does not affect the others. `atomic`: all or nothing.');
const folder = text(1, 64);
const ids = z.array(z.string()).min(1).max(maxBulkRows).nullish().describe('IDs of links.');
const expectedCount = z
  .int()
  .min(0)
  .nullish()
  .describe('With `filter`: expected number of matching links. If the number differs, nothing is changed.');
const cursor = z
  .string()
  .nullish()
  .describe('With `filter`: `nextCursor` of the previous response, to continue after those links.');
const limit = z
  .int()
  .min(1)
  .max(maxBulkRows)
  .nullish()
  .describe(
    `With \`filter\`: maximum number of links to change in this request, ${maxBulkRows.toLocaleString('en')} by default. Smaller requests block other writes for less time.`,
  );
const previous = z
  .array(z.enum(previousFields))
  .max(previousFields.length)
  .nullish()
  .describe('Fields to return in `previous` of each result, to undo the change.');

// Schemas for clients, one per action. Each contains only that action's fields.
const linkToMake = z.object(createRow).meta({ id: 'ShortenRequest' });
const { url, ...described } = updateRow;
const linkChanges = z.intersection(z.object(described).meta({ id: 'UpdateLinkRequest' }), z.object({ url }));
const linkChange = z
  .intersection(z.object({ id: z.string().describe('ID of the link to change.') }), linkChanges)
  .meta({ id: 'LinkChange', description: 'A link and the fields to change.' });
const found = {
  ids,
  filter: z
    .strictObject(bulkFilter)
    .meta({ id: 'BulkFilter' })
    .nullish()
    .describe('Filters of `GET /api/v1/links` that select the links.'),
  expectedCount,
  cursor,
  limit,
};

function list<R extends z.ZodType>(rows: R, about: string) {
  return z.array(rows).min(1).max(maxBulkRows).describe(about);
}

function one<A extends BulkAction, S extends Shape>(action: A, fields: S) {
  return z.object({ action: z.literal(action), mode, ...fields }).meta({ id: formOf(action) });
}

function formOf(action: BulkAction): string {
  return `Bulk${action.charAt(0).toUpperCase()}${action.slice(1)}`;
}

type Previous = { readonly [N in PreviousField]: true };

const result = z.object({
  status: z.enum(['done', 'failed']).meta({ id: 'BulkStatus' }),
  id: z.string().nullable().describe('ID of the link; null if none was created.'),
  link: z
    .object({
      id: uuid('Identifier of the link.'),
      shortCode: z.string(),
      shortUrl: z.string().meta({ format: 'uri' }),
      destinationUrl: z.string(),
      createdAt: timestamp('When the link was created.'),
    })
    .nullable()
    .describe('The link after the action; null if the action failed or deleted it.'),
  error: z
    .object({
      code: z.string().describe('Error code, as for a single request.'),
      field: z
        .string()
        .nullable()
        .describe('First field with a problem; null if the error is not about a field.'),
      message: z.string(),
    })
    .nullable()
    .describe('Why the action failed; null if it succeeded.'),
  previous: everyIncluded
    .pick(Object.fromEntries(previousFields.map((name) => [name, true as const])) as Previous)
    .partial()
    .meta({ id: 'PreviousFields', description: 'Values before the change, as requested in `previous`.' })
    .optional(),
});

export const bulkEndpoints = {
  bulkLinks: endpoint('POST', '/links/bulk', {
    access: { key: 'links:write', bound: true },
    priority: 'list',
    largestBody,
    summary: 'Create or change links in bulk',
    description: `Applies one action to up to ${maxBulkRows.toLocaleString('en')} links in one transaction: the links in \`links\` or \`ids\`, or those that match \`filter\`. Each row is validated and limited like a single request.`,
    body: {
      action: z.enum(actions).describe('Action to apply to each link.'),
      mode,
      links: z.array(row).min(1).max(maxBulkRows).nullish(),
      ids,
      filter: row.nullish(),
      expectedCount,
      cursor,
      limit,
      previous,
      set: row.nullish(),
      folderId: folder.nullish(),
      tags: row.nullish(),
    },
    inner: { links: { ...createRow, ...updateRow, id: z.string() }, set: updateRow, tags: tagChanges },
    sent: z
      .discriminatedUnion('action', [
        one('create', { links: list(linkToMake, 'Links to create.') }),
        one('update', {
          links: list(
            linkChange,
            'Links with individual changes, instead of `ids` or `filter` with `set`.',
          ).nullish(),
          ...found,
          previous,
          set: linkChanges.nullish().describe('Changes to apply to all links in `ids` or matching `filter`.'),
        }),
        one('move', {
          ...found,
          previous,
          folderId: folder.nullable().describe('Target folder; null for none.'),
        }),
        one('tag', {
          ...found,
          previous,
          tags: z.object(tagChanges).meta({ id: 'TagChanges' }).describe('`add` and `remove`, or `set`.'),
        }),
        one('delete', found),
        one('restore', { ids: ids.unwrap().unwrap().describe('Identifiers of deleted links.') }),
      ])
      .meta({
        discriminator: {
          propertyName: 'action',
          mapping: Object.fromEntries(actions.map((one) => [one, `#/components/schemas/${formOf(one)}`])),
        },
      }),
    success: ok(
      'Result of each row, in order.',
      {
        data: z
          .object({
            done: count('Number of rows that succeeded.'),
            failed: count('Number of rows that failed.'),
            remaining: count('Number of matching links after these; 0 without `filter`.'),
            nextCursor: z
              .string()
              .nullable()
              .describe('Cursor to continue with the remaining links; null if there are none.'),
            results: z.array(result),
          })
          .meta({ id: 'BulkResult', description: 'Results of a bulk request.' }),
      },
      {
        data: {
          done: 1,
          failed: 0,
          remaining: 0,
          nextCursor: null,
          results: [
            {
              status: 'done',
              id: exampleLinkId,
              link: {
                id: exampleLinkId,
                shortCode: 'launch',
                shortUrl: 'http://127.0.0.1:3000/launch',
                destinationUrl: 'https://example.com/spring',
                createdAt: '2027-03-01T09:00:00.000Z',
              },
              error: null,
            },
          ],
        },
      },
    ),
    exampleRequest: {
      body: { action: 'create', links: [{ url: 'https://example.com/spring', title: 'Spring' }] },
    },
    failures: ['BULK_REFUSED', 'COUNT_DIFFERS'],
  }),
} as const;
