import * as z from 'zod';
import { limitReached } from '../../model/failures.ts';
import { longestFolderName } from '../../model/links/folders.ts';
import { created, endpoint, ok } from '../endpoint.ts';
import { count, httpUrl, nameText, timestamp, uuid, words } from '../fields.ts';
import { clicksOfLinksByDay, timezone } from './link-days.ts';
import { exampleFolder } from './link-examples.ts';

const id = uuid('Identifier of the folder.');
export const idInPath = id.meta({ example: exampleFolder });
const name = z.string().describe('Does not have to be unique.');
const expiredUrl =
  'Where the folder’s expired, exhausted and disabled links redirect if they have no `expiredUrl`.';
const linkCount = count('Number of live links in the folder.');
const createdAt = timestamp('When the folder was created.');
const updatedAt = timestamp('When the folder was last updated.');
const nameField = {
  name: nameText(1, longestFolderName).describe(
    '1–50 characters, at least one of them visible; trimmed. Does not have to be unique.',
  ),
};
const expiredUrlField = {
  expiredUrl: httpUrl
    .nullish()
    .describe(`${expiredUrl} Null to use the branding’s URL. These visits are not counted as clicks.`),
};

const folder = z
  .object({
    id,
    name,
    linkCount,
    createdAt,
    expiredUrl: z.string().nullable().optional().describe(expiredUrl),
    clicksByDay: clicksOfLinksByDay,
  })
  .meta({
    id: 'Folder',
    description: 'A folder and its number of links; `expiredUrl` and `clicksByDay` only with `include`.',
  });
const createdFolder = z
  .object({ id, name, createdAt })
  .meta({ id: 'CreatedFolder', description: 'A newly created folder.' });
const restored = z
  .object({ id, name, linkCount, createdAt })
  .meta({ id: 'RestoredFolder', description: 'A restored folder and its number of links.' });
const renamed = z
  .object({ id, name, updatedAt })
  .meta({ id: 'RenamedFolder', description: 'A folder after an update.' });

export const folderEndpoints = {
  listFolders: endpoint('GET', '/folders', {
    access: { key: 'links:read', bound: true },
    priority: 'list',
    summary: 'List folders',
    description: 'Returns all folders, oldest first, with their link counts.',
    query: {
      include: words(['expiredUrl', 'clicksByDay'])
        .optional()
        .describe('Fields to add to each folder: `expiredUrl`, `clicksByDay`.'),
      timezone,
    },
    success: ok(
      'The folders.',
      { folders: z.array(folder) },
      {
        folders: [
          { id: exampleFolder, name: 'Billboards', linkCount: 3, createdAt: '2027-03-01T08:00:00.000Z' },
        ],
      },
    ),
    failures: ['VALIDATION_ERROR'],
  }),
  createFolder: endpoint('POST', '/folders', {
    access: { key: 'links:write' },
    summary: 'Create a folder',
    description: 'Folders group links. They cannot be nested.',
    body: { ...nameField, ...expiredUrlField },
    success: created(
      'The folder was created.',
      { folder: createdFolder },
      { folder: { id: exampleFolder, name: 'Billboards', createdAt: '2027-03-01T08:00:00.000Z' } },
    ),
    exampleRequest: { body: { name: 'Billboards' } },
    failures: [limitReached('folders', 1_000)],
  }),
  renameFolder: endpoint('PATCH', '/folders/:id', {
    params: { id: idInPath },
    access: { key: 'links:write' },
    summary: 'Update a folder',
    description:
      'Changes the name, `expiredUrl` or both. Omitted fields are unchanged; at least one is required. The links stay in the folder.',
    body: { name: nameField.name.optional(), ...expiredUrlField },
    sent: z.union([
      z.object({ ...nameField, ...expiredUrlField }),
      z.object({ name: nameField.name.optional(), expiredUrl: expiredUrlField.expiredUrl.unwrap() }),
    ]),
    success: ok(
      'The updated folder.',
      { folder: renamed },
      { folder: { id: exampleFolder, name: 'Posters', updatedAt: '2027-03-02T10:00:00.000Z' } },
    ),
    exampleRequest: { body: { name: 'Posters' } },
    failures: ['FOLDER_NOT_FOUND'],
  }),
  deleteFolder: endpoint('DELETE', '/folders/:id', {
    params: { id: idInPath },
    access: { key: 'links:write' },
    summary: 'Delete a folder',
    description:
      'The folder’s links are kept, without a folder. You can undo this for an hour with `POST /api/v1/folders/:id/restore`.',
    success: { status: 204, description: 'The folder was deleted.' },
    failures: ['FOLDER_NOT_FOUND'],
  }),
  restoreFolder: endpoint('POST', '/folders/:id/restore', {
    params: { id: idInPath },
    access: { key: 'links:write' },
    summary: 'Restore a folder',
    description:
      'Restores a folder that was deleted within the last hour, with its ID, name and `expiredUrl`, and the links that were in it and have not been moved to another folder since. A folder that is not deleted is unchanged.',
    body: {},
    success: ok(
      'The folder was restored.',
      { folder: restored },
      {
        folder: {
          id: exampleFolder,
          name: 'Billboards',
          linkCount: 3,
          createdAt: '2027-03-01T08:00:00.000Z',
        },
      },
    ),
    failures: ['FOLDER_NOT_FOUND', limitReached('folders', 1_000)],
  }),
} as const;
