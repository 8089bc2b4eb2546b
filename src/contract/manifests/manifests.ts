import { z } from 'zod';
import { bulkRefused, refusalFrom } from '../../model/links/bulk.ts';
import { codeReserved } from '../../model/links/conflicts.ts';
import { longestManifestName } from '../../model/links/link-search.ts';
import {
  absentActions,
  manifestActions,
  maxManifestLinks,
  tooManyDeletes,
} from '../../model/manifests/manifests.ts';
import { endpoint, ok } from '../endpoint.ts';
import { codeText, count, oneWord, text } from '../fields.ts';
import { historyValue } from '../links/history.ts';
import { linkDraft } from '../links/link-drafts.ts';
import { exampleLinkId } from '../links/link-examples.ts';

const nameInPath = oneWord(longestManifestName).meta({
  description: 'Name of the manifest, percent-encoded.',
  example: 'marketing',
});
/**
 * Maximum body size in bytes. This is enough for the maximum number of links with several hundred bytes per link, and
 * for `seen`.
 */
const largestBody = 2 * 1024 * 1024;

const {
  customCode,
  prefix: _drawn,
  length: _long,
  ifExists: _there,
  password: _secret,
  ...fields
} = linkDraft;
/** Fields of a link in a manifest. Passwords cannot be set in a manifest, and stay unchanged. */
export const manifestLink = {
  ...fields,
  customCode: customCode.unwrap().unwrap(),
  movedFrom: codeText(190)
    .min(1)
    .nullish()
    .describe(
      'Previous code of a renamed link. The link keeps its ID and clicks, and the previous code becomes an alias.',
    ),
};

const absent = z
  .enum(absentActions)
  .nullish()
  .describe(
    'What to do with links that the manifest manages but no longer lists: `keep` (default) leaves them, `release` stops managing them, `delete` deletes them.',
  );
const common = {
  links: z
    .array(z.looseObject({}))
    .max(maxManifestLinks)
    .describe('All links in the manifest, with all their fields: omitted fields are cleared.'),
  absent,
  adopt: z
    .boolean()
    .nullish()
    .describe('Whether the manifest takes over existing links that no manifest manages.'),
};
const maxDeletes = z
  .int()
  .min(0)
  .nullish()
  .describe('With `absent: delete`: maximum number of links to delete. Default: 0.');
const seenLinks = z.array(
  z
    .object({
      id: text(1, 64).describe('ID of the link.'),
      revision: z.int().min(0).describe('Revision of the link at the time of the plan.'),
    })
    .meta({ id: 'SeenLink', description: 'A link and the revision that the plan was based on.' }),
);
const sentLinks = z
  .array(z.object(manifestLink).meta({ id: 'ManifestLink', description: 'Desired state of a link.' }))
  .max(maxManifestLinks)
  .describe(common.links.description ?? '');

const counts = z
  .object({
    ...(Object.fromEntries(manifestActions.map((name) => [name, z.int().min(0)])) as Record<
      (typeof manifestActions)[number],
      z.ZodInt
    >),
    unchanged: count('Links that need no change.'),
  })
  .meta({ id: 'ManifestCounts', description: 'Number of links per action.' });

const change = z
  .object({
    action: z.enum(manifestActions),
    id: z.string().nullable().describe('ID of the link; null if it will be created.'),
    customCode: z
      .string()
      .describe('Code in the manifest. If the link is not in the manifest, its current code.'),
    domain: z.string().describe('Host of the link’s domain.'),
    index: z.int().min(0).nullable().describe('Index in `links`; null if the link is not in the manifest.'),
    changes: z
      .record(z.string(), z.object({ from: historyValue, to: historyValue }))
      .describe('Changes by field name: current and desired value.'),
  })
  .meta({ id: 'ManifestChange', description: 'The action for a link; `keep` means no change.' });

const example = {
  create: 0,
  update: 1,
  adopt: 0,
  restore: 0,
  release: 0,
  delete: 0,
  keep: 0,
  unchanged: 0,
};
const refusedLink = bulkRefused([{ at: 0, refused: refusalFrom(codeReserved('login')) }], 1, 'links');
const exampleBody = {
  links: [{ customCode: 'billboard', url: 'https://example.com/summer', title: 'Summer launch' }],
};

export const manifestEndpoints = {
  planManifest: endpoint('POST', '/manifests/:name/plan', {
    params: { name: nameInPath },
    access: { key: 'links:read', bound: true },
    changes: false,
    largestBody,
    summary: 'Plan a manifest',
    description: `Compares a manifest’s links (up to ${maxManifestLinks.toLocaleString('en')}) with the existing links and returns the necessary changes, without making them. Links are matched by domain and code. A deleted link that the manifest managed is restored with its clicks. Send \`seen\` with the request that applies the manifest.`,
    body: common,
    inner: { links: manifestLink },
    sent: z.object({ ...common, links: sentLinks }),
    success: ok(
      'The planned changes.',
      {
        data: z
          .object({ changes: z.array(change), counts, seen: seenLinks })
          .meta({ id: 'ManifestPlan', description: 'The changes that a manifest would make.' }),
      },
      {
        data: {
          changes: [
            {
              action: 'update',
              id: exampleLinkId,
              customCode: 'billboard',
              domain: '127.0.0.1:3000',
              index: 0,
              changes: { url: { from: 'https://example.com/spring', to: 'https://example.com/summer' } },
            },
          ],
          counts: example,
          seen: [{ id: exampleLinkId, revision: 4 }],
        },
      },
    ),
    exampleRequest: { body: exampleBody },
    failures: ['VALIDATION_ERROR', refusedLink],
  }),
  applyManifest: endpoint('POST', '/manifests/:name/apply', {
    params: { name: nameInPath },
    access: { key: 'links:write', bound: true },
    priority: 'list',
    largestBody,
    summary: 'Apply a manifest',
    description:
      'Makes the planned changes in one transaction. Send `seen` from the plan: if a link has changed since, or a new link conflicts, nothing is changed. The links are then managed by the manifest, as `managedBy` shows. They can still be changed by other requests; the next plan shows the difference.',
    body: {
      ...common,
      maxDeletes,
      seen: seenLinks.max(2 * maxManifestLinks).describe('`seen` from the plan.'),
    },
    inner: { links: manifestLink },
    sent: z.object({ ...common, links: sentLinks, maxDeletes, seen: seenLinks }),
    success: ok('The manifest was applied.', { data: counts }, { data: example }),
    exampleRequest: { body: { ...exampleBody, seen: [] } },
    failures: [refusedLink, 'MANIFEST_DRIFTED', tooManyDeletes(1, 0)],
  }),
} as const;
