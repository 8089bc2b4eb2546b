import * as z from 'zod';
import {
  linkSorts,
  linkStates,
  longestManifestName,
  longestSearch,
  longestTagList,
  sortOrders,
  tagMatches,
} from '../../model/links/link-search.ts';
import { commas, count, domainHost, moment, oneWord, text } from '../fields.ts';

/** Search and sort parameters of `GET /links`. */
export const searchQuery = {
  status: z
    .enum([...linkStates, 'deleted'])
    .optional()
    .describe(
      'Only links in this state. The link’s state is the first one that applies: `disabled`, `expired`, `exhausted` (all clicks used), `scheduled` (not started), else `active`. `deleted` returns deleted links instead.',
    ),
  archived: z
    .enum(['true', 'false'])
    .optional()
    .describe('Only archived links, or only the others. Both if absent.'),
  search: text(0, longestSearch)
    .optional()
    .describe(
      'Only links that contain each of these words (at most 8) in their code, destination, title, description or tags. Case, accents and typographic characters are ignored: `strasse` finds `Straße`. A short URL, such as `https://go.example.com/sale?utm_source=x`, `/sale` or `sale+`, finds its link. Words of one or two letters match the start of codes.',
    ),
  sort: z
    .enum(linkSorts)
    .optional()
    .describe(
      'Sort field, `createdAt` by default. Sorting by clicks or last click can be up to a minute out of date. Links without a title or expiry come last; links without clicks come first in ascending order, otherwise last.',
    ),
  order: z
    .enum(sortOrders)
    .optional()
    .describe('Sort direction. Default: `asc` for `title` and `expiresAt`, else `desc`.'),
  createdAfter: moment
    .optional()
    .describe('Only links created at this time or later, in UTC unless an offset is given.'),
  createdBefore: moment.optional().describe('Only links created before this time.'),
  destinationHost: z
    .string()
    .optional()
    .describe(
      'Only links to this host, such as `example.com` or `example.com:8080`. Subdomains do not match.',
    ),
  destination: z
    .enum(['failing'])
    .optional()
    .describe('Only links whose destination fails: no response or “not found” in two checks an hour apart.'),
  domain: domainHost('Only links on the domain with this host.').optional(),
  managedBy: oneWord(longestManifestName).optional().describe('Only links managed by this manifest.'),
  tag: text(1, longestTagList)
    .meta({ [commas]: true })
    .optional()
    .describe('Only links with these tags: comma-separated names, case-insensitive. See `tagMatch`.'),
  tagMatch: z
    .enum(tagMatches)
    .optional()
    .describe('Whether links must have `any` (default), `all` or `none` of the tags.'),
  cursor: z
    .string()
    .optional()
    .describe(
      '`nextCursor` of the previous page, with the same filters; empty for the first page. Cannot be combined with `page`. For deleted links, omit it to get the first page.',
    ),
};

/** Cursor pagination in lists of live links. */
export const foundPagination = z
  .object({
    limit: z.int().min(1),
    total: count('Total number of matching links;').nullable().meta({
      description: 'Total number of matching links; null if counting would take too long.',
    }),
    nextCursor: z.string().nullable().describe('Cursor of the next page; null on the last page.'),
  })
  .meta({ id: 'FoundPagination', description: 'How to get the next page, and the total.' });
