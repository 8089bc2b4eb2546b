import * as z from 'zod';
import { domainNotActive } from '../../model/domains/domains.ts';
import {
  conflictPolicies,
  importCounts,
  importOutcomes,
  importStates,
  wrongImportState,
} from '../../model/imports/imports.ts';
import { created, endpoint, ok } from '../endpoint.ts';
import { count, domainHost, moment, text, timestamp, uuid } from '../fields.ts';
import { tableFormats, tableTypes } from '../statistics/exports.ts';

const exampleId = '0198c5a0-7777-7b3a-9c41-3f0f6f2f8a10';
const idInPath = uuid('Identifier of the import.').meta({ example: exampleId });
/** Maximum number of lines per request. */
export const maxImportLines = 1_000;
/** Maximum body size in bytes. This is enough for the maximum number of lines with several hundred bytes per line. */
const largestBody = 1024 * 1024;

const meanings: Readonly<Record<(typeof importCounts)[number], string>> = {
  taken: 'Links that were created.',
  renamed: 'Links that were created with another code because their code was taken.',
  changed: 'Links from an earlier import that were updated.',
  unchanged: 'Links that were imported earlier and are unchanged.',
  skipped: 'Links that were skipped: their code is taken, or they were changed or deleted here.',
  refused: 'Lines that could not be imported.',
  kept: 'After an undo: links that were changed or deleted since the import and were left as they are.',
  undone: 'After an undo: links that were deleted or restored to their previous values.',
  mended: 'Link fields that were changed or dropped so that the link could be imported.',
  clicks: 'Timestamped clicks.',
  unchangedClicks: 'Timestamped clicks that an earlier import already added.',
  undatedClicks:
    'Clicks that the source counts in addition to timestamped ones. Negative if clicks from earlier imports now have a timestamp.',
  clicksOfNoLink: 'Timestamped clicks on links that were not imported.',
  undatedOfNoLink: 'Total clicks that the source counts for links that were not imported.',
};

const shownStates = importStates.filter((state) => state !== 'removing');
const onConflict = z.enum(conflictPolicies);

const imported = z
  .object({
    id: uuid('Identifier of the import.'),
    source: z.string().describe('The service that the links come from.'),
    instance: z.string().nullable().describe('URL that the data was read from; null for files.'),
    installation: z
      .string()
      .nullable()
      .describe('Distinguishes installations of the service; null if the keys are unique anyway.'),
    readAt: timestamp('When the data was read from the source.'),
    onConflict: onConflict.describe(
      'What to do with links whose code is taken or that were imported before.',
    ),
    domain: z
      .string()
      .nullable()
      .describe('Domain for links whose own host is not a domain of the account; null if none.'),
    state: z
      .enum(shownStates)
      .describe(
        '`open` accepts lines; `paused` does not; `counting`: all lines have been received, and their clicks are being added to statistics; `done`; `undoing`; `undone`.',
      ),
    position: count('Number of lines received from the file.'),
    createdAt: timestamp('When the import was started.'),
    updatedAt: timestamp('When the import last changed.'),
    counts: z
      .object(
        Object.fromEntries(
          importCounts.map((name) => [
            name,
            name === 'undatedClicks' ? z.int().describe(meanings[name]) : count(meanings[name]),
          ]),
        ) as Record<(typeof importCounts)[number], z.ZodInt>,
      )
      .meta({ id: 'ImportCounts', description: 'Results so far.' }),
  })
  .meta({ id: 'Import', description: 'An import of another service’s links and clicks from a file.' });
const body = { data: imported };

const lines = z
  .array(
    z.looseObject({
      type: z
        .string()
        .optional()
        .describe('Line type: `link`, `visit`, `bucket`, `counter`, `problem` or `end`.'),
    }),
  )
  .min(1)
  .max(maxImportLines)
  .describe('Lines in the import format, without the header line.');

const example = {
  id: exampleId,
  source: 'shlink',
  instance: 'https://s.example.com',
  installation: null,
  readAt: '2027-03-01T08:00:00.000Z',
  onConflict: 'skip',
  domain: null,
  state: 'open',
  position: 0,
  createdAt: '2027-03-01T08:05:00.000Z',
  updatedAt: '2027-03-01T08:05:00.000Z',
  counts: Object.fromEntries(importCounts.map((name) => [name, 0])),
} as const;
const begun = {
  ...example,
  position: 2,
  counts: { ...example.counts, taken: 1, clicks: 1 },
} as const;

export const importEndpoints = {
  createImport: endpoint('POST', '/imports', {
    access: { key: 'links:write' },
    summary: 'Start an import',
    description:
      'Source, instance and read time come from the first line of the file. If the same file has an unfinished import, that import continues at its position.',
    body: {
      source: text(1, 50).describe(
        'The service, such as `shlink`. Links of the service are identified by their keys.',
      ),
      instance: text(1, 2_048).nullish().describe('URL that the data was read from.'),
      installation: text(1, 255)
        .nullish()
        .describe(
          'Distinguishes installations of a service whose keys are row numbers: a name, or the fingerprint that `import read` computes. Links are identified by instance and key.',
        ),
      readAt: moment.describe('When the data was read from the source.'),
      onConflict: onConflict
        .nullish()
        .describe(
          '`skip` (default): keep the existing link. `rename`: import a link whose code is taken under a similar code. `overwrite`: update a link that was imported before and has not been changed here since.',
        ),
      domain: domainHost(
        'Domain for links whose host is not a domain of the account. If omitted, these links are rejected.',
      ).nullish(),
    },
    success: {
      ...created('The import was started.', body, { data: example }),
      existing: {
        status: 200,
        description: 'The import already exists; `position` is the number of lines it has received.',
      },
    },
    exampleRequest: {
      body: { source: 'shlink', instance: 'https://s.example.com', readAt: '2027-03-01T08:00:00Z' },
    },
    failures: ['VALIDATION_ERROR', 'DOMAIN_NOT_FOUND', domainNotActive('go.example.com')],
  }),
  listImports: endpoint('GET', '/imports', {
    access: { key: 'links:read' },
    priority: 'list',
    summary: 'List imports',
    description: 'Returns the account’s last 100 imports, newest first.',
    success: ok('The imports.', { data: z.array(imported) }, { data: [begun] }),
  }),
  getImport: endpoint('GET', '/imports/:id', {
    params: { id: idInPath },
    access: { key: 'links:read' },
    summary: 'Get an import',
    description: 'Returns the progress of an import and its results so far.',
    success: ok('The import.', body, { data: begun }),
    failures: ['IMPORT_NOT_FOUND'],
  }),
  checkImportLines: endpoint('POST', '/imports/plan', {
    access: { key: 'links:read' },
    priority: 'list',
    changes: false,
    largestBody,
    summary: 'Check import lines',
    description:
      'Returns the lines that an import would reject, and the link fields that it would change or drop. Nothing is stored. Codes that are taken or repeated in the file are only found by the import itself.',
    body: {
      domain: domainHost(
        'Domain for links whose host is not a domain of the account. If omitted, these links are rejected.',
      ).nullish(),
      lines,
    },
    success: ok(
      'The problems, in line order.',
      {
        data: z.array(
          z
            .object({
              line: count('Position of the line in the request, from 1.'),
              outcome: z
                .enum(['refused', 'mended'])
                .describe('Action that the import would take for this line.'),
              reason: z.string().describe('Explanation.'),
            })
            .meta({ id: 'ImportProblem', description: 'A problem in an import line.' }),
        ),
      },
      { data: [{ line: 1, outcome: 'mended', reason: 'title: truncated to 255 characters.' }] },
    ),
    exampleRequest: {
      body: {
        lines: [{ type: 'link', key: '1', domain: null, code: 'spring', url: 'https://example.com/spring' }],
      },
    },
    failures: ['VALIDATION_ERROR', 'DOMAIN_NOT_FOUND', domainNotActive('go.example.com')],
  }),
  addImportLines: endpoint('POST', '/imports/:id/lines', {
    params: { id: idInPath },
    access: { key: 'links:write' },
    priority: 'list',
    largestBody,
    summary: 'Send import lines',
    description: `Sends the next lines of the file, up to ${maxImportLines.toLocaleString('en')}. Lines and position are stored in one transaction. A line that cannot be imported is listed in the report and does not affect the others. Sending the same lines again changes nothing. After a line of type \`end\` the import is \`counting\`, then \`done\`.`,
    body: {
      position: z.int().min(0).describe('Number of lines already sent from the file.'),
      lines,
    },
    success: ok('The import after these lines.', body, { data: begun }),
    exampleRequest: {
      body: {
        position: 0,
        lines: [
          {
            type: 'link',
            key: 's.example.com/sale',
            domain: null,
            code: 'sale',
            url: 'https://example.com/spring',
          },
          { type: 'visit', key: 's.example.com/sale', at: '2026-06-01T10:00:00.000Z', country: 'DE' },
        ],
      },
    },
    failures: ['IMPORT_NOT_FOUND', 'IMPORT_POSITION', 'IMPORT_STATE'],
  }),
  updateImport: endpoint('PATCH', '/imports/:id', {
    params: { id: idInPath },
    access: { key: 'links:write' },
    summary: 'Pause or resume an import',
    description: 'A paused import rejects lines.',
    body: { state: z.enum(['open', 'paused']).describe('New state of the import.') },
    success: ok('The import.', body, { data: begun }),
    exampleRequest: { body: { state: 'paused' } },
    failures: ['IMPORT_NOT_FOUND', wrongImportState('undoing')],
  }),
  undoImport: endpoint('POST', '/imports/:id/undo', {
    params: { id: idInPath },
    access: { key: 'links:write' },
    summary: 'Undo an import',
    description:
      'Deletes the links that the import created and their imported clicks, unless they have been changed since. Restores links that it updated to their previous values, unless they have been changed since. This runs in the background; the state is `undone` when it is complete. If several imports changed the same links, undo the latest one first.',
    body: {},
    success: ok('The import.', body, { data: { ...begun, state: 'undoing' } }),
    failures: ['IMPORT_NOT_FOUND'],
  }),
  exportImportReport: endpoint('GET', '/imports/:id/report', {
    params: { id: idInPath },
    access: { key: 'links:read' },
    priority: 'list',
    summary: 'Get an import report',
    description: `Exports the result for each link in the file and for lines that could not be imported: \`line\` in the file, \`key\` and \`code\` of the link, \`outcome\` (${[...importOutcomes, 'mended'].map((name) => `\`${name}\``).join(', ')}), \`reason\` and \`linkId\`.`,
    query: {
      format: z
        .enum(tableFormats)
        .optional()
        .describe('File format. Default: based on the `Accept` header, otherwise `csv`.'),
    },
    success: {
      status: 200,
      description: 'The file.',
      files: [tableTypes.csv, tableTypes.ndjson],
      isStream: true,
    },
    exampleRequest: { path: `/imports/${exampleId}/report` },
    failures: ['VALIDATION_ERROR', 'IMPORT_NOT_FOUND'],
  }),
} as const;
