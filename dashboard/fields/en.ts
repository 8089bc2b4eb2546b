import type { PlainTexts } from './plain.ts';

export const en = {
  field: {
    onDomains: 'Limit to domains',
    anyDomain: 'All domains',
    inFolders: 'Limit to folders',
    anyFolder: 'All folders',
    goneFolder: 'deleted folder',
    addressHint: 'https://…',
    addressWrong: 'Enter a URL that starts with https:// or http://.',
    utm: 'UTM',
    domain: 'Domain',
    folder: 'Folder',
    tags: 'Tags',
    tagsHelp: 'Press Enter or type a comma to add a tag.',
    expiry: 'Expiry',
    expiryPresets: {
      none: 'Never',
      tonight: 'Tonight',
      week: '7 days',
      month: 'End of month',
      date: 'Date…',
    },
    expiryDate: 'Expires at',
    expiryWrong: 'Choose a date in the future.',
    noFolder: (name: string) => `Folder “${name}” not found. Choose “New folder” from the list to create it.`,
    createFolder: (text: string) => `New folder “${text}”`,
    repoint: (before: string) => `Currently ${before}`,
    expiredUrl: 'Redirect after expiry',
    managed: 'These fields are set in a file. The next time it is applied, it overwrites changes made here.',
    afterwards: (host: string) => `After expiry: ${host}`,
    statuses: {
      '302': '302 Found (default): every visit is counted, and search engines index the short URL.',
      '301':
        '301 Moved Permanently: search engines index the destination. Visits are still counted, except from clients that cache the redirect.',
      '307':
        '307 Temporary Redirect: like 302, but clients repeat the request with the same method and body.',
      '308':
        '308 Permanent Redirect: like 301, but clients repeat the request with the same method and body.',
    },
    forward: 'Query parameters',
    forwards: { none: 'Don’t forward', add: 'Add missing', override: 'Override' },
    forwardHelp: {
      none: 'Query parameters of the short link are not passed to the destination.',
      add: 'Adds the query parameters of the short link that the destination does not have.',
      override: 'Query parameters of the short link replace those of the destination.',
    },
    card: 'Social card',
    cardImage: (host: string) => `Image from ${host}`,
    cardDrawn: 'Approximate preview',
    expiredHelp: 'Where visitors of expired links go, unless the link has its own URL.',
  },

  /** Fields of the table of link fields that need no form of their own. */
  plain: {
    description: { label: 'Description', help: 'Visible only to members and API keys of this account.' },
    externalId: {
      label: 'External ID',
      help: 'The ID of this link in another system. You can look the link up by it.',
    },
    language: {
      label: 'Destination language',
      help: 'A language tag such as de or pt-BR. Language rules do not redirect visitors who prefer it.',
    },
    template: {
      label: 'Use placeholders',
      help: 'Replaces {1}, {path} or {query.q} in the destination with values from each visit.',
    },
    appendPath: {
      label: 'Append path',
      help: 'Appends the path after the code to the destination.',
    },
    timezone: { label: 'Time zone for {date}', help: 'For example Europe/Berlin. Defaults to UTC.' },
    publicQr: {
      label: 'Public QR code',
      help: 'Anyone can download the QR code at the short URL followed by .qr.',
    },
    checkDestination: {
      label: 'Don’t monitor the destination',
      help: 'Linkfold does not check whether the destination is reachable.',
    },
  } satisfies PlainTexts as PlainTexts,

  code: {
    label: 'Code',
    empty: 'A code will be generated.',
    free: 'Available',
    taken: 'Taken',
    reserved: 'Reserved',
    takenByYou: 'You already have a link with this code.',
    openIt: 'Open link',
    takenElse: 'This code is taken. Choose another one.',
    reservedWhy: 'This code is reserved by the server. Choose another one.',
    space: 'A code cannot contain spaces.',
    character: (character: string) => `A code cannot contain “${character}”.`,
    start: 'A code must start with a letter or digit.',
    slash: 'Each part between slashes must start with a letter or digit.',
    segments: 'This code has more slashes than this server allows.',
    long: 'A code can have up to 50 characters.',
    longest: 'A code on this domain can have up to 190 characters.',
    without: 'Leave empty to generate a code.',
    moves: (code: string) => `/${code} will keep redirecting here.`,
    proposed: 'Suggestions',
    alsoFree: 'Also available',
    draw: 'Suggest another code',
  },
};
