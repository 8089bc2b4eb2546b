import { z } from 'zod';
import { bulkRefused, refusedBy } from '../../model/links/bulk.ts';
import { codeReserved } from '../../model/links/conflicts.ts';
import { longestManifestName } from '../../model/links/link-search.ts';
import {
  absentActions,
  manifestActions,
  maxManifestLinks,
  tooManyDeletes,
} from '../../model/manifests/manifests.ts';
import { endpoint } from '../endpoint.ts';
import { codeText, count, oneWord, text } from '../fields.ts';
import { shownValue } from '../links/history.ts';
import { linkDraft } from '../links/link-drafts.ts';
import { exampleLinkId } from '../links/link-examples.ts';

const nameInPath = oneWord(longestManifestName).meta({
  description: 'The name of the manifest, percent-encoded.',
  example: 'marketing',
});
/** Suits so many links of some hundred bytes each, with what was seen of them. */
const largestBody = 2 * 1024 * 1024;

const {
  customCode,
  prefix: _drawn,
  length: _long,
  ifExists: _there,
  password: _secret,
  ...fields
} = linkDraft;
/** What a manifest may say of a link. Its password is in no file, and stays as it is. */
export const manifestLink = {
  ...fields,
  customCode: customCode.unwrap().unwrap(),
  movedFrom: codeText(190)
    .min(1)
    .nullish()
    .describe('The code that the link had before: it keeps its id and clicks, and the old code as an alias.'),
};

const absent = z
  .enum(absentActions)
  .nullish()
  .describe(
    'What becomes of links that the manifest keeps and no longer names: `keep` (default) leaves them, `release` leaves them to nobody, `delete` deletes them.',
  );
const common = {
  links: z
    .array(z.looseObject({}))
    .max(maxManifestLinks)
    .describe('All links of the manifest, each as a whole: a field that is not said is cleared.'),
  absent,
  adopt: z
    .boolean()
    .nullish()
    .describe('Whether links that are there and that no manifest keeps become links of this one.'),
};
const maxDeletes = z
  .int()
  .min(0)
  .nullish()
  .describe('With `absent: delete`: how many links may be deleted at most; none where it is not given.');
const seenLinks = z.array(
  z
    .object({
      id: text(1, 64).describe('Of a link.'),
      revision: z.int().min(0).describe('That it had.'),
    })
    .meta({ id: 'SeenLink', description: 'A link and the revision in which it was seen.' }),
);
const sentLinks = z
  .array(z.object(manifestLink).meta({ id: 'ManifestLink', description: 'A link as it is to be.' }))
  .max(maxManifestLinks)
  .describe(common.links.description ?? '');

const counts = z
  .object({
    ...(Object.fromEntries(manifestActions.map((name) => [name, z.int().min(0)])) as Record<
      (typeof manifestActions)[number],
      z.ZodInt
    >),
    unchanged: count('Links that are as they should be.'),
  })
  .meta({ id: 'ManifestCounts', description: 'To how many links each is done.' });

const change = z
  .object({
    action: z.enum(manifestActions),
    id: z.string().nullable().describe('Of the link; null for one that is to be made.'),
    customCode: z.string().describe('Its code in the manifest, or its own where it is not named there.'),
    domain: z.string().describe('Host of the domain that it is on.'),
    index: z.int().min(0).nullable().describe('Its place in `links`; null where it is not named.'),
    changes: z
      .record(z.string(), z.object({ from: shownValue, to: shownValue }))
      .describe('By the name of a field: what is there, and what is wanted.'),
  })
  .meta({ id: 'ManifestChange', description: 'What is done to a link, or with `keep` is not.' });

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
const refusedLink = bulkRefused([{ at: 0, refused: refusedBy(codeReserved('login')) }], 1, 'links');
const exampleBody = {
  links: [{ customCode: 'launch', url: 'https://example.com/summer', title: 'Summer launch' }],
};

export const manifestEndpoints = {
  planManifest: endpoint({
    method: 'POST',
    path: '/manifests/:name/plan',
    params: { name: nameInPath },
    access: { key: 'links:read', bound: true },
    priority: 'read',
    changes: false,
    largestBody,
    summary: 'Compare a manifest with the links that are there',
    description: `Says what would have to be done so that the links of the manifest, up to ${maxManifestLinks.toLocaleString('en')}, are as it has them, and changes nothing. A link is known by its domain and code. A deleted one that the manifest kept comes back, with its clicks. \`seen\` is for the call that applies it.`,
    body: common,
    inner: { links: manifestLink },
    sent: z.object({ ...common, links: sentLinks }),
    success: {
      status: 200,
      description: 'What would be done.',
      body: z.object({
        success: z.literal(true),
        data: z
          .object({ changes: z.array(change), counts, seen: seenLinks })
          .meta({ id: 'ManifestPlan', description: 'What a manifest would change.' }),
      }),
      example: {
        success: true,
        data: {
          changes: [
            {
              action: 'update',
              id: exampleLinkId,
              customCode: 'launch',
              domain: '127.0.0.1:3000',
              index: 0,
              changes: { url: { from: 'https://example.com/spring', to: 'https://example.com/summer' } },
            },
          ],
          counts: example,
          seen: [{ id: exampleLinkId, revision: 4 }],
        },
      },
    },
    exampleRequest: { body: exampleBody },
    failures: ['VALIDATION_ERROR', refusedLink],
  }),
  applyManifest: endpoint({
    method: 'POST',
    path: '/manifests/:name/apply',
    params: { name: nameInPath },
    access: { key: 'links:write', bound: true },
    priority: 'list',
    largestBody,
    summary: 'Make the links what a manifest says',
    description:
      'Does what the plan said, in one transaction, or nothing. `seen` is that of the plan: where a link is otherwise by now, or another one is there, nothing is done. The links then belong to the manifest, as `managedBy` says; who changes one by another call can, and the next plan shows it.',
    body: {
      ...common,
      maxDeletes,
      seen: seenLinks.max(2 * maxManifestLinks).describe('As the plan answered it.'),
    },
    inner: { links: manifestLink },
    sent: z.object({ ...common, links: sentLinks, maxDeletes, seen: seenLinks }),
    success: {
      status: 200,
      description: 'Everything was done.',
      body: z.object({ success: z.literal(true), data: counts }),
      example: { success: true, data: example },
    },
    exampleRequest: { body: { ...exampleBody, seen: [] } },
    failures: [refusedLink, 'MANIFEST_DRIFTED', tooManyDeletes(1, 0)],
  }),
} as const;
