import { accountEndpoints } from './account.ts';
import type { Endpoint } from './endpoint.ts';
import { exampleFolderId, folderEndpoints } from './folders.ts';
import { exampleLinkId, linkEndpoints } from './links.ts';

/** Every endpoint under `/api/v1` that needs a key. */
export const endpoints = { ...linkEndpoints, ...folderEndpoints, ...accountEndpoints } as const;

export type Endpoints = typeof endpoints;
export type EndpointName = keyof Endpoints;

/** Endpoints that belong together, as documentation shows them. */
export interface EndpointGroup {
  readonly tag: string;
  readonly about: string;
  /** What a path of the group names. */
  readonly record: string;
  /** What its paths may name, by the name of the parameter. */
  readonly pathExamples: Readonly<Record<string, string>>;
  readonly endpoints: Readonly<Record<string, Endpoint>>;
}

export const endpointGroups: readonly EndpointGroup[] = [
  {
    tag: 'Links',
    about: 'Short links: make them, find them, change where they lead, delete them and bring them back.',
    ...{ record: 'link', pathExamples: { id: exampleLinkId, code: 'launch' }, endpoints: linkEndpoints },
  },
  {
    tag: 'Folders',
    about: 'Folders group links. They are flat, and deleting one never deletes its links.',
    ...{ record: 'folder', pathExamples: { id: exampleFolderId }, endpoints: folderEndpoints },
  },
  {
    tag: 'Account',
    about: 'The key in hand: whose it is, what it may do, and what its account uses.',
    ...{ record: 'account', pathExamples: {}, endpoints: accountEndpoints },
  },
];
