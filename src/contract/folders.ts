import { z } from 'zod';
import { longestFolderName } from '../domain/folders.ts';
import { endpoint } from './endpoint.ts';
import { text } from './fields.ts';

const id = z.string().describe('Folder identifier (UUID).');
const timestamp = z.string().describe('UTC, with milliseconds and Z.');
const name = text(1, longestFolderName);
const nameField = { name: name.describe('1 to 50 characters. Names need not be unique.') };
const exampleId = '0198c5a0-1111-7b3a-9c41-3f0f6f2f8a10';

export const folderEndpoints = {
  listFolders: endpoint({
    method: 'GET',
    path: '/folders',
    scope: 'links:read',
    summary: 'List folders',
    description: 'All folders, oldest first, with the number of links in each.',
    success: {
      status: 200,
      description: 'The folders.',
      body: z.object({
        success: z.literal(true),
        folders: z.array(z.object({ id, name: z.string(), linkCount: z.number(), createdAt: timestamp })),
      }),
      example: {
        success: true,
        folders: [{ id: exampleId, name: 'Billboards', linkCount: 3, createdAt: '2027-03-01T08:00:00.000Z' }],
      },
    },
    failures: [],
  }),
  createFolder: endpoint({
    method: 'POST',
    path: '/folders',
    scope: 'links:write',
    summary: 'Create a folder',
    description: 'Folders are flat and only group links.',
    body: nameField,
    idempotent: true,
    success: {
      status: 201,
      description: 'The folder was created.',
      body: z.object({
        success: z.literal(true),
        folder: z.object({ id, name: z.string(), createdAt: timestamp }),
      }),
      example: {
        success: true,
        folder: { id: exampleId, name: 'Billboards', createdAt: '2027-03-01T08:00:00.000Z' },
      },
    },
    exampleRequest: { body: { name: 'Billboards' } },
    failures: ['LIMIT_REACHED'],
  }),
  renameFolder: endpoint({
    method: 'PATCH',
    path: '/folders/:id',
    scope: 'links:write',
    summary: 'Rename a folder',
    description: 'Changes the name; the links stay where they are.',
    body: nameField,
    success: {
      status: 200,
      description: 'The folder has the new name.',
      body: z.object({
        success: z.literal(true),
        folder: z.object({ id, name: z.string(), updatedAt: timestamp }),
      }),
      example: {
        success: true,
        folder: { id: exampleId, name: 'Posters', updatedAt: '2027-03-02T10:00:00.000Z' },
      },
    },
    exampleRequest: { body: { name: 'Posters' } },
    failures: ['FOLDER_NOT_FOUND'],
  }),
  deleteFolder: endpoint({
    method: 'DELETE',
    path: '/folders/:id',
    scope: 'links:write',
    summary: 'Delete a folder',
    description: 'Its links are not deleted; they return to no folder.',
    success: { status: 204, description: 'The folder is deleted.' },
    failures: ['FOLDER_NOT_FOUND'],
  }),
} as const;
