import { count, number } from '../texts/format.ts';

export const en = {
  did: {
    saved: 'Link updated',
    savedBack: 'Change undone',
    copied: (link: string) => `${link} copied`,
    deleted: (n: number) => `${count(n, 'link', 'links')} moved to the bin`,
    restored: (n: number) => `${count(n, 'link', 'links')} restored`,
    archived: (n: number) => `${count(n, 'link', 'links')} archived`,
    unarchived: (n: number) => `${count(n, 'link', 'links')} unarchived`,
    moved: (n: number, folder: string) => `${count(n, 'link', 'links')} moved to ${folder}`,
    movedBack: (n: number) => `${count(n, 'link', 'links')} moved back`,
    tagged: (n: number) => `Tags changed for ${count(n, 'link', 'links')}`,
    expirySet: (n: number) => `Expiry changed for ${count(n, 'link', 'links')}`,
    expiryBack: 'Change undone',
    reading: (n: number, total: number) => `Finding links: ${number(n)} of ${number(total)}`,
    progress: (n: number, total: number) => `Changing links: ${number(n)} of ${number(total)}`,
    cancelled: 'Canceled. No links were changed.',
    failed: (n: number) => `${count(n, 'link', 'links')} could not be changed`,
  },

  errors: {
    unreachable: 'The server is not responding. What you entered is kept.',
    stillRedirects: 'Your links still redirect, and clicks are counted.',
    /** Error messages by error code. For all other codes, the dashboard shows the server's English message. */
    codes: {
      INSUFFICIENT_SCOPE: 'You don’t have permission to do this.',
      STORAGE_UNAVAILABLE: 'The database is not responding (503). Try again in a moment.',
      OVERLOADED: 'The server is busy. Try again in a moment.',
      REVISION_MISMATCH: 'This link was changed by someone else. You are now viewing the current version.',
      RATE_LIMIT_EXCEEDED: 'Too many requests. Try again in a minute.',
      INVALID_API_KEY: 'This API key is not valid.',
      EXPIRED_API_KEY: 'This API key has expired.',
      COUNT_DIFFERS: 'The list changed since you selected these links. Select them again.',
      CUSTOM_CODE_TAKEN: 'This code is taken. Choose another one.',
      CUSTOM_CODE_RESERVED: 'This code is reserved. Choose another one.',
      INVALID_CUSTOM_CODE: 'This code contains characters that are not allowed.',
      INVALID_URL: 'Enter a valid URL that visitors can open.',
      SELF_REFERENTIAL_URL: 'The destination must not point back to this server.',
      DESTINATION_BLOCKED: 'This destination is blocked on this server.',
      EXPIRY_IN_PAST: 'Choose a future expiration date.',
      UTM_TEMPLATE_NAME_TAKEN: 'A template with this name already exists.',
      TAG_NAME_TAKEN: 'A tag with this name already exists.',
    } as Readonly<Record<string, string>>,
  },

  writes: {
    wait: 'Waiting for the server…',
    readOnly: 'You don’t have permission to edit links.',
  },
};
