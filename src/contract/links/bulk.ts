import { z } from 'zod';
import { maxBulkRows } from '../../domain/links/bulk.ts';
import { linkStates } from '../../domain/links/link-search.ts';
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

type Json = Record<string, unknown>;

/** A schema inside another one's description cannot refer to definitions. */
function inlined(value: unknown, definitions: Json): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((one) => inlined(one, definitions));
  const { $ref, id: _id, ...rest } = value as { readonly $ref?: string; readonly id?: unknown } & Json;
  if ($ref !== undefined) return inlined(definitions[$ref.replace('#/$defs/', '')], definitions);
  const named = typeof _id === 'string' ? {} : { id: _id };
  const kept = _id === undefined ? rest : { ...named, ...rest };
  return Object.fromEntries(Object.entries(kept).map(([name, one]) => [name, inlined(one, definitions)]));
}

/** Rows are checked one by one, so that a bad one is refused by itself. */
function row(shape: Shape, about: string) {
  return z.looseObject({}).meta({
    type: 'object',
    // Only the OpenAPI document reads them: a server that starts makes none.
    get properties() {
      const made = z.toJSONSchema(z.object(shape), { io: 'input', unrepresentable: 'any' });
      return inlined(made.properties, (made.$defs ?? {}) as Json) as Json;
    },
    required: [],
    description: about,
  });
}

/** What `filter` may hold. */
const { folderId, externalId, archived, search, createdAfter, createdBefore } = linkEndpoints.listLinks.query;
const { destinationHost, tag, tagMatch } = linkEndpoints.listLinks.query;
export const bulkFilter = {
  ...{ folderId, externalId, archived, search, createdAfter, createdBefore, destinationHost, tag, tagMatch },
  status: z.enum(linkStates).optional().describe('Only links in this state.'),
};

const id = { id: z.string().describe('Identifier of the link.') };
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
    access: { key: 'links:write' },
    priority: 'list',
    largestBody,
    summary: 'Create or change many links',
    description: `Does one thing to up to ${maxBulkRows.toLocaleString('en')} links, in one transaction: to those in \`links\` or \`ids\`, or to those that the parameters of the list in \`filter\` find. Each row is checked and limited as by the call for a single link.`,
    body: {
      action: z
        .enum(actions)
        .describe(
          '`create` and `update` take `links`; the others, and `update` with `set`, `ids` or `filter`.',
        ),
      mode: z
        .enum(['each', 'atomic'])
        .nullish()
        .describe(
          '`each`: a row that is refused leaves the others alone (default). `atomic`: all or nothing.',
        ),
      links: z
        .array(row({ ...createRow, ...id }, 'A link to make, or with `id` the changes of one.'))
        .min(1)
        .max(maxBulkRows)
        .nullish()
        .describe(
          'For `create` the fields of POST /api/v1/shorten; for `update` an `id` and the fields to change.',
        ),
      ids: z.array(z.string()).min(1).max(maxBulkRows).nullish().describe('Identifiers of links.'),
      filter: row(bulkFilter, 'Parameters of GET /api/v1/links: the links that it finds.').nullish(),
      expectedCount: z
        .int()
        .min(0)
        .nullish()
        .describe('With `filter`: how many links it finds. Nothing is done when it finds another number.'),
      cursor: z
        .string()
        .nullish()
        .describe('With `filter`: `nextCursor` of the answer before, to go on behind those links.'),
      set: row(updateRow, 'For `update` of `ids` or `filter`: the fields to change.').nullish(),
      folderId: text(1, 64).nullish().describe('For `move`: the folder; null for none.'),
      tags: row(tagChanges, 'For `tag`: `add` and `remove`, or `set`.').nullish(),
    },
    idempotent: true,
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
