import { accountEndpoints } from './account.ts';
import { folderEndpoints } from './folders.ts';
import { linkEndpoints } from './links.ts';

/** Every endpoint under `/api/v1` that needs a key. */
export const endpoints = { ...linkEndpoints, ...folderEndpoints, ...accountEndpoints } as const;

export type Endpoints = typeof endpoints;
export type EndpointName = keyof Endpoints;
