import * as z from 'zod';
import { limitReached } from '../../model/failures.ts';
import { longestFolderName } from '../../model/links/folders.ts';
import { endpoint } from '../endpoint.ts';
import { count, httpUrl, nameText, timestamp, uuid, words } from '../fields.ts';
import { clicksOfLinksByDay, timezone } from './link-days.ts';

const exampleFolderId = '0198c5a0-1111-7b3a-9c41-3f0f6f2f8a10';
const id = uuid('Identifier of the folder.');
const idInPath = id.meta({ example: exampleFolderId });
const name = z.string().describe('Need not be unique.');
const expiredUrl =
  'Where visitors go of its links that have expired, are used up or are switched off and have no `expiredUrl` of their own.';
const linkCount = count('How many links that are not deleted it holds.');
const createdAt = timestamp('When the folder was made.');
const updatedAt = timestamp('When the folder was last changed.');
const nameField = {
  name: nameText(1, longestFolderName).describe(
    '1 to 50 characters, at least one of them visible; trimmed. Need not be unique.',
  ),
};
const expiredUrlField = {
  expiredUrl: httpUrl
    .nullish()
    .describe(`${expiredUrl} Null for what the branding says. Such visits are no clicks.`),
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
    description: 'A folder and how much is in it; `expiredUrl` and `clicksByDay` by `include` only.',
  });
const created = z
  .object({ id, name, createdAt })
  .meta({ id: 'CreatedFolder', description: 'A folder that was just made.' });
const restored = z
  .object({ id, name, linkCount, createdAt })
  .meta({ id: 'RestoredFolder', description: 'A folder whose deletion was undone, and how much is in it.' });
const renamed = z
  .object({ id, name, updatedAt })
  .meta({ id: 'RenamedFolder', description: 'A folder after a change.' });

export const folderEndpoints = {
  listFolders: endpoint({
    method: 'GET',
    path: '/folders',
    access: { key: 'links:read', bound: true },
    priority: 'list',
    summary: 'List folders',
    description: 'All folders, oldest first, with the number of links in each.',
    query: {
      include: words(['expiredUrl', 'clicksByDay'])
        .optional()
        .describe('More about each folder: `expiredUrl`, `clicksByDay`.'),
      timezone,
    },
    success: {
      status: 200,
      description: 'The folders.',
      body: z.object({
        success: z.literal(true),
        folders: z.array(folder),
      }),
      example: {
        success: true,
        folders: [
          { id: exampleFolderId, name: 'Billboards', linkCount: 3, createdAt: '2027-03-01T08:00:00.000Z' },
        ],
      },
    },
    failures: ['VALIDATION_ERROR'],
  }),
  createFolder: endpoint({
    method: 'POST',
    path: '/folders',
    access: { key: 'links:write' },
    priority: 'write',
    summary: 'Create a folder',
    description: 'Folders are flat and only group links.',
    body: { ...nameField, ...expiredUrlField },
    success: {
      status: 201,
      description: 'The folder was created.',
      body: z.object({ success: z.literal(true), folder: created }),
      example: {
        success: true,
        folder: { id: exampleFolderId, name: 'Billboards', createdAt: '2027-03-01T08:00:00.000Z' },
      },
    },
    exampleRequest: { body: { name: 'Billboards' } },
    failures: [limitReached('folders', 1_000)],
  }),
  renameFolder: endpoint({
    method: 'PATCH',
    path: '/folders/:id',
    params: { id: idInPath },
    access: { key: 'links:write' },
    priority: 'write',
    summary: 'Rename a folder',
    description:
      'Changes the name, `expiredUrl` or both; an absent field stays, and one of them has to be there. The links stay where they are.',
    body: { name: nameField.name.optional(), ...expiredUrlField },
    sent: z.union([
      z.object({ ...nameField, ...expiredUrlField }),
      z.object({ name: nameField.name.optional(), expiredUrl: expiredUrlField.expiredUrl.unwrap() }),
    ]),
    success: {
      status: 200,
      description: 'The folder after the change.',
      body: z.object({ success: z.literal(true), folder: renamed }),
      example: {
        success: true,
        folder: { id: exampleFolderId, name: 'Posters', updatedAt: '2027-03-02T10:00:00.000Z' },
      },
    },
    exampleRequest: { body: { name: 'Posters' } },
    failures: ['FOLDER_NOT_FOUND'],
  }),
  deleteFolder: endpoint({
    method: 'DELETE',
    path: '/folders/:id',
    params: { id: idInPath },
    access: { key: 'links:write' },
    priority: 'write',
    summary: 'Delete a folder',
    description:
      'Its links are not deleted; they return to no folder. For an hour `POST /api/v1/folders/:id/restore` undoes it.',
    success: { status: 204, description: 'The folder is deleted.' },
    failures: ['FOLDER_NOT_FOUND'],
  }),
  restoreFolder: endpoint({
    method: 'POST',
    path: '/folders/:id/restore',
    params: { id: idInPath },
    access: { key: 'links:write' },
    priority: 'write',
    summary: 'Undo the deletion of a folder',
    description:
      'Brings a folder back that was deleted within the last hour, with its id, name and `expiredUrl`, and the links that were in it and were put into no other since. A folder that is not deleted stays as it is.',
    body: {},
    success: {
      status: 200,
      description: 'The folder is there again.',
      body: z.object({ success: z.literal(true), folder: restored }),
      example: {
        success: true,
        folder: {
          id: exampleFolderId,
          name: 'Billboards',
          linkCount: 3,
          createdAt: '2027-03-01T08:00:00.000Z',
        },
      },
    },
    failures: ['FOLDER_NOT_FOUND', limitReached('folders', 1_000)],
  }),
} as const;
