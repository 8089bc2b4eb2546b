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

/** What `GET /links` takes beyond the documented parameters, to find and to sort. */
export const searchQuery = {
  status: z
    .enum([...linkStates, 'deleted'])
    .optional()
    .describe(
      'Only links in this state, the first that is true of a link: switched off (`disabled`), past its end (`expired`), used up (`exhausted`), before its beginning (`scheduled`), else `active`; or deleted links instead.',
    ),
  archived: z
    .enum(['true', 'false'])
    .optional()
    .describe('Only links that were put away, or only the others; both when it is absent.'),
  search: text(0, longestSearch)
    .optional()
    .describe(
      'Only links with each of these words (at most 8) in their code, destination, title, description or tags. Case, accents and typographic signs do not matter: `strasse` finds `Straße`. A short URL, such as `https://go.example.com/sale?utm_source=x`, `/sale` or `sale+`, finds its link. Words of one or two letters search for the beginning of a code.',
    ),
  sort: z
    .enum(linkSorts)
    .optional()
    .describe(
      'What the list is sorted by, `createdAt` when it is absent. Clicks and last clicks are sorted as of a minute ago. Links without a title, expiration or click come last, but those without clicks first in rising order.',
    ),
  order: z
    .enum(sortOrders)
    .optional()
    .describe('Rising or falling; when it is absent, `asc` for `title` and `expiresAt`, else `desc`.'),
  createdAfter: moment
    .optional()
    .describe('Only links made at this time or later; UTC unless it says otherwise.'),
  createdBefore: moment.optional().describe('Only links made before this time.'),
  destinationHost: z
    .string()
    .optional()
    .describe(
      'Only links to this host, such as `example.com` or `example.com:8080`; its subdomains are other hosts.',
    ),
  destination: z
    .enum(['failing'])
    .optional()
    .describe(
      'Only links whose destination does not answer, or says that there is nothing: at two looks an hour apart.',
    ),
  domain: domainHost('Only links on the domain with this host.').optional(),
  managedBy: oneWord(longestManifestName).optional().describe('Only links that this manifest keeps.'),
  tag: text(1, longestTagList)
    .meta({ [commas]: true })
    .optional()
    .describe('Only links with these tags: names separated by commas, in any case; see `tagMatch`.'),
  tagMatch: z
    .enum(tagMatches)
    .optional()
    .describe('Whether links must have `any` of the tags (default), `all` of them, or `none`.'),
  cursor: z
    .string()
    .optional()
    .describe(
      '`nextCursor` of the page before, with the same filters; empty for a first page by cursor. Excludes `page`. Of deleted links leave it out for the first page.',
    ),
};

/** What stands below a page of live links when a cursor was asked for. */
export const foundPagination = z
  .object({
    limit: z.int().min(1),
    total: count('How many links match, on all pages;').nullable().meta({
      description: 'How many links match, on all pages; null where it would take long to count them.',
    }),
    nextCursor: z.string().nullable().describe('What leads to the next page; null on the last one.'),
  })
  .meta({ id: 'FoundPagination', description: 'How to get the next page, and how much there is.' });
