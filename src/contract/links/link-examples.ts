import { apiValueOf, everyField } from '../../model/links/link-field-values.ts';

export const exampleLinkId = '0198c5a0-7d2e-7b3a-9c41-3f0f6f2f8a10';
export const exampleFolder = '0198c5a0-1111-7b3a-9c41-3f0f6f2f8a10';
export const exampleLink = {
  id: exampleLinkId,
  shortCode: 'launch',
  shortUrl: 'http://127.0.0.1:3000/launch',
  destinationUrl: 'https://example.com/spring?utm_source=billboard',
};

/** The values that responses contain for link fields that are not set. */
const unsaid = everyField.flatMap(([name, { includable }]) =>
  includable ? [[name, apiValueOf(name, undefined) as boolean | null] as const] : [],
);

export const wholeExample = {
  ...exampleLink,
  title: 'Spring launch',
  clicks: 42,
  createdAt: '2027-03-01T09:00:00.000Z',
  ...Object.fromEntries(unsaid.filter(([name]) => name !== 'title')),
  folderId: exampleFolder,
  updatedAt: '2027-03-01T09:00:00.000Z',
  revision: 4,
  tags: ['spring'],
};

export const foundExample = {
  ...wholeExample,
  status: 'active',
  lastClickAt: '2027-03-02T14:00:00.000Z',
  clicksLeft: null,
  hasPassword: false,
  domain: '127.0.0.1',
};

export const updatedExample = {
  id: exampleLinkId,
  shortCode: 'launch',
  title: 'Summer launch',
  expiresAt: '2030-09-01T00:00:00.000Z',
  updatedAt: '2027-03-02T10:00:00.000Z',
};
