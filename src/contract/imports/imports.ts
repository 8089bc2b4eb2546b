import * as z from 'zod';
import { domainNotActive } from '../../model/domains/domains.ts';
import {
  conflictPolicies,
  importCounts,
  importOutcomes,
  importStates,
  notInState,
} from '../../model/imports/imports.ts';
import { endpoint } from '../endpoint.ts';
import { count, domainHost, moment, text, timestamp, uuid } from '../fields.ts';
import { tableFormats, tableTypes } from '../statistics/exports.ts';

const exampleId = '0198c5a0-7777-7b3a-9c41-3f0f6f2f8a10';
const idInPath = uuid('Identifier of the import.').meta({ example: exampleId });
/** Lines of one request. */
export const mostImportLines = 1_000;
/** Suits so many links of some hundred bytes each. */
const largestBody = 1024 * 1024;

const meanings: Readonly<Record<(typeof importCounts)[number], string>> = {
  taken: 'Links that were made.',
  renamed: 'Links that were made with another code, as theirs was taken.',
  changed: 'Links of an import before that were changed.',
  unchanged: 'Links that were imported before and stay as they are.',
  skipped: 'Links that were passed over: their code is taken, or they were changed or deleted here.',
  refused: 'Lines that could not be imported.',
  kept: 'When it was undone: links that were changed or deleted since, and stay so.',
  undone: 'When it was undone: links that were deleted, or have again what they had.',
  mended: 'Parts of links that were changed or dropped, so that the link could be imported.',
  clicks: 'Clicks with a time.',
  unchangedClicks: 'Of those, clicks that an earlier import brought.',
  undatedClicks:
    'Clicks that the source counts beyond those; negative when clicks of earlier imports now have a time.',
  clicksOfNoLink: 'Clicks with a time of links that were not imported.',
  undatedOfNoLink: 'Clicks that the source counts in all for links that were not imported.',
};

const shownStates = importStates.filter((state) => state !== 'removing');
const onConflict = z.enum(conflictPolicies);

const imported = z
  .object({
    id: uuid('Identifier of the import.'),
    source: z.string().describe('The service.'),
    instance: z.string().nullable().describe('Where it was read; null for files.'),
    installation: z
      .string()
      .nullable()
      .describe('Tells installations of the service apart; null where the keys of links do.'),
    readAt: timestamp('When it was read.'),
    onConflict: onConflict.describe(
      'What becomes of links whose code is taken, or that were imported before.',
    ),
    domain: z
      .string()
      .nullable()
      .describe('Where links go whose own host is no domain of the account; null for nowhere.'),
    state: z
      .enum(shownStates)
      .describe(
        '`open` takes lines; `paused` does not; `counting`: all lines are there, and their clicks go into statistics; `done`; `undoing`; `undone`.',
      ),
    position: count('How many lines of the file were taken.'),
    createdAt: timestamp('When it was begun.'),
    updatedAt: timestamp('When it changed last.'),
    counts: z
      .object(
        Object.fromEntries(
          importCounts.map((name) => [
            name,
            name === 'undatedClicks' ? z.int().describe(meanings[name]) : count(meanings[name]),
          ]),
        ) as Record<(typeof importCounts)[number], z.ZodInt>,
      )
      .meta({ id: 'ImportCounts', description: 'What it has done so far.' }),
  })
  .meta({ id: 'Import', description: 'A file of links and clicks of another service, as it is taken in.' });
const one = z.object({ success: z.literal(true), data: imported });

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
  createImport: endpoint({
    method: 'POST',
    path: '/imports',
    access: { key: 'links:write' },
    priority: 'write',
    summary: 'Begin an import',
    description:
      'Source, instance and time of reading are those of the first line of the file. The import of the same file that has not come to its end is gone on with, wherever that was left.',
    body: {
      source: text(1, 50).describe('The service, such as `shlink`. Its links are told apart by their keys.'),
      instance: text(1, 2_048).nullish().describe('Where it was read.'),
      installation: text(1, 255)
        .nullish()
        .describe(
          'Tells installations of one service apart whose keys are numbers of rows: a name, or the fingerprint that `import read` takes. Links are known by it and their key.',
        ),
      readAt: moment.describe('When it was read.'),
      onConflict: onConflict
        .nullish()
        .describe(
          '`skip` (default): the link that is there stays. `rename`: a link whose code is taken gets a like one. `overwrite`: a link that was imported before, and was not changed here since, becomes as the file has it.',
        ),
      domain: domainHost(
        'Where links go whose own host is no domain of the account; otherwise they are refused.',
      ).nullish(),
    },
    success: {
      status: 201,
      description: 'The import was begun.',
      body: one,
      example: { success: true, data: example },
      existing: { status: 200, description: 'It was begun before; `position` says how many lines it has.' },
    },
    exampleRequest: {
      body: { source: 'shlink', instance: 'https://s.example.com', readAt: '2027-03-01T08:00:00Z' },
    },
    failures: ['VALIDATION_ERROR', 'DOMAIN_NOT_FOUND', domainNotActive('go.example.com')],
  }),
  listImports: endpoint({
    method: 'GET',
    path: '/imports',
    access: { key: 'links:read' },
    priority: 'list',
    summary: 'List imports',
    description: 'The last hundred imports of the account, the last begun first.',
    success: {
      status: 200,
      description: 'The imports.',
      body: z.object({ success: z.literal(true), data: z.array(imported) }),
      example: { success: true, data: [begun] },
    },
    failures: [],
  }),
  getImport: endpoint({
    method: 'GET',
    path: '/imports/:id',
    params: { id: idInPath },
    access: { key: 'links:read' },
    priority: 'read',
    summary: 'Get one import',
    description: 'How far it is, and what became of the links so far.',
    success: { status: 200, description: 'The import.', body: one, example: { success: true, data: begun } },
    failures: ['IMPORT_NOT_FOUND'],
  }),
  addImportLines: endpoint({
    method: 'POST',
    path: '/imports/:id/lines',
    params: { id: idInPath },
    access: { key: 'links:write' },
    priority: 'list',
    largestBody,
    summary: 'Send lines of an import',
    description: `The next lines of the file, up to ${mostImportLines.toLocaleString('en')}, in one transaction with the position. A line that cannot be taken is told in the report and leaves the others alone. The same lines sent again change nothing. After a line of type \`end\` the import is \`counting\`, and then \`done\`.`,
    body: {
      position: z.int().min(0).describe('How many lines of the file were sent before.'),
      lines: z
        .array(
          z.looseObject({
            type: z
              .string()
              .optional()
              .describe('What it is: `link`, `visit`, `bucket`, `counter`, `problem` or `end`.'),
          }),
        )
        .min(1)
        .max(mostImportLines)
        .describe('Lines of the format of imports, without its first one.'),
    },
    success: {
      status: 200,
      description: 'The import, with these lines.',
      body: one,
      example: { success: true, data: begun },
    },
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
  updateImport: endpoint({
    method: 'PATCH',
    path: '/imports/:id',
    params: { id: idInPath },
    access: { key: 'links:write' },
    priority: 'write',
    summary: 'Pause or resume an import',
    description: 'A paused import takes no lines, whoever sends them.',
    body: { state: z.enum(['open', 'paused']).describe('What it is from now on.') },
    success: { status: 200, description: 'The import.', body: one, example: { success: true, data: begun } },
    exampleRequest: { body: { state: 'paused' } },
    failures: ['IMPORT_NOT_FOUND', notInState('undoing')],
  }),
  undoImport: endpoint({
    method: 'POST',
    path: '/imports/:id/undo',
    params: { id: idInPath },
    access: { key: 'links:write' },
    priority: 'write',
    summary: 'Take an import back',
    description:
      'Deletes the links that it made and that nobody changed since, with their imported clicks, and gives links that it changed what they had before, unless somebody changed them since; a few at a time; `undone` when that is over. The last import first, where several changed the same links.',
    body: {},
    success: {
      status: 200,
      description: 'The import.',
      body: one,
      example: { success: true, data: { ...begun, state: 'undoing' } },
    },
    failures: ['IMPORT_NOT_FOUND'],
  }),
  exportImportReport: endpoint({
    method: 'GET',
    path: '/imports/:id/report',
    params: { id: idInPath },
    access: { key: 'links:read' },
    priority: 'list',
    summary: 'Get the report of an import',
    description: `What became of each link of the file, and of lines that could not be taken, as a file: \`line\` in the file, \`key\` and \`code\` of the link, \`outcome\` (${[...importOutcomes, 'mended'].map((name) => `\`${name}\``).join(', ')}), \`reason\` and \`linkId\`.`,
    query: {
      format: z
        .enum(tableFormats)
        .optional()
        .describe('How the file is written; `csv` when nothing says it.'),
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
