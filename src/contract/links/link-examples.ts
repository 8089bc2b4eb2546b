export const exampleLinkId = '0198c5a0-7d2e-7b3a-9c41-3f0f6f2f8a10';
export const exampleFolder = '0198c5a0-1111-7b3a-9c41-3f0f6f2f8a10';
export const exampleLink = {
  id: exampleLinkId,
  shortCode: 'launch',
  shortUrl: 'http://127.0.0.1:3000/launch',
  destinationUrl: 'https://example.com/spring?utm_source=billboard',
};

export const wholeExample = {
  ...exampleLink,
  title: 'Spring launch',
  clicks: 42,
  createdAt: '2027-03-01T09:00:00.000Z',
  description: null,
  expiresAt: null,
  folderId: exampleFolder,
  updatedAt: '2027-03-01T09:00:00.000Z',
  externalId: null,
  startsAt: null,
  disabled: false,
  expiredUrl: null,
  redirectStatus: null,
  forwardQuery: null,
  rules: null,
  maxClicks: null,
  utm: null,
  archived: false,
  card: null,
  tags: ['spring'],
};
