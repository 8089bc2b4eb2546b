import * as z from 'zod';
import { maxBulkRows } from '../../model/links/bulk.ts';
import { linkStates } from '../../model/links/link-search.ts';
import { endpoint } from '../endpoint.ts';
import { count, type Shape, text, timestamp, uuid } from '../fields.ts';
import { exampleLinkId } from './link-examples.ts';
import { linkEndpoints } from './links.ts';
import { tagNames } from './tags.ts';

/** Suits so many links of some thousand bytes each. */
const largestBody = 1024 * 1024;

const actions = ['create', 'update', 'move', 'tag', 'delete', 'restore'] as const;
export type BulkAction = (typeof actions)[number];

/** The fields of a row that makes a link: those of a single call. */
export const createRow = linkEndpoints.shorten.body;
/** The fields of a change; `url` points the link elsewhere. */
export const updateRow = {
  ...linkEndpoints.updateLink.body,
  url: linkEndpoints.shorten.body.url.optional(),
};
/** What `tags` may hold. */
export const tagChanges = {
  add: tagNames.describe('Tags to add; those that do not exist yet are made.'),
  remove: tagNames.describe('Tags to take off.'),
  set: tagNames.describe('All tags from now on.'),
};

/** Rows are checked one by one, so that a bad one is refused by itself. */
const row = z.looseObject({});

/** What `filter` may hold. */
const { folderId, externalId, archived, search, createdAfter, createdBefore } = linkEndpoints.listLinks.query;
const { destinationHost, tag, tagMatch, domain, managedBy } = linkEndpoints.listLinks.query;
export const bulkFilter = {
  folderId,
  externalId,
  archived,
  search,
  createdAfter,
  createdBefore,
  destinationHost,
  tag,
  tagMatch,
  domain,
  managedBy,
  status: z.enum(linkStates).optional().describe('Only links in this state.'),
};

const mode = z
  .enum(['each', 'atomic'])
  .nullish()
  .describe('`each`: a row that is refused leaves the others alone (default). `atomic`: all or nothing.');
const folder = text(1, 64);
const ids = z.array(z.string()).min(1).max(maxBulkRows).nullish().describe('Identifiers of links.');
const expectedCount = z
  .int()
  .min(0)
  .nullish()
  .describe('With `filter`: how many links it finds. Nothing is done when it finds another number.');
const cursor = z
  .string()
  .nullish()
  .describe('With `filter`: `nextCursor` of the answer before, to go on behind those links.');

// What clients send: the fields of an action, in the place of all fields that any of them has.
const linkToMake = z.object(createRow).meta({ id: 'ShortenRequest' });
const { url, ...described } = updateRow;
const linkChanges = z.intersection(z.object(described).meta({ id: 'UpdateLinkRequest' }), z.object({ url }));
const linkChange = z
  .intersection(z.object({ id: z.string().describe('Which link to change.') }), linkChanges)
  .meta({ id: 'LinkChange', description: 'A link, and the fields to change.' });
const found = {
  ids,
  filter: z
    .strictObject(bulkFilter)
    .meta({ id: 'BulkFilter' })
    .nullish()
    .describe('Parameters of GET /api/v1/links: the links that it finds.'),
  expectedCount,
  cursor,
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

const result = z.object({
  status: z.enum(['done', 'failed']).meta({ id: 'BulkStatus' }),
  id: z.string().nullable().describe('Of the link; null where none was made.'),
  link: z
    .object({
      id: uuid('Identifier of the link.'),
      shortCode: z.string(),
      shortUrl: z.string().meta({ format: 'uri' }),
      destinationUrl: z.string(),
      createdAt: timestamp('When the link was made.'),
    })
    .nullable()
    .describe('The link as it is now; null where it failed or was deleted.'),
  error: z
    .object({
      code: z.string().describe('As in the refusal of a single call.'),
      field: z.string().nullable().describe('The field that was refused first; null where it is about none.'),
      message: z.string(),
    })
    .nullable()
    .describe('Why nothing was done; null where it was.'),
});

export const bulkEndpoints = {
  bulkLinks: endpoint({
    method: 'POST',
    path: '/links/bulk',
    access: { key: 'links:write', bound: true },
    priority: 'list',
    largestBody,
    summary: 'Create or change many links',
    description: `Does one thing to up to ${maxBulkRows.toLocaleString('en')} links, in one transaction: to those in \`links\` or \`ids\`, or to those that the parameters of the list in \`filter\` find. Each row is checked and limited as by the call for a single link.`,
    body: {
      action: z.enum(actions).describe('What to do with each link.'),
      mode,
      links: z.array(row).min(1).max(maxBulkRows).nullish(),
      ids,
      filter: row.nullish(),
      expectedCount,
      cursor,
      set: row.nullish(),
      folderId: folder.nullish(),
      tags: row.nullish(),
    },
    inner: { links: { ...createRow, ...updateRow, id: z.string() }, set: updateRow, tags: tagChanges },
    sent: z
      .discriminatedUnion('action', [
        one('create', { links: list(linkToMake, 'Links to make.') }),
        one('update', {
          links: list(linkChange, 'Or links to change, each in its own way.').nullish(),
          ...found,
          set: linkChanges.nullish().describe('The same change for all of `ids` or `filter`.'),
        }),
        one('move', { ...found, folderId: folder.nullable().describe('The folder; null for none.') }),
        one('tag', {
          ...found,
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
    success: {
      status: 200,
      description: 'What became of each row, in their order.',
      body: z.object({
        success: z.literal(true),
        data: z
          .object({
            done: count('Rows that were done.'),
            failed: count('Rows that were refused.'),
            remaining: count('Links that the filter found behind these; 0 without `filter`.'),
            nextCursor: z.string().nullable().describe('What leads on to them; null where there are none.'),
            results: z.array(result),
          })
          .meta({ id: 'BulkResult', description: 'What became of many rows.' }),
      }),
      example: {
        success: true,
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
    },
    exampleRequest: {
      body: { action: 'create', links: [{ url: 'https://example.com/spring', title: 'Spring' }] },
    },
    failures: ['BULK_REFUSED', 'COUNT_DIFFERS'],
  }),
} as const;
