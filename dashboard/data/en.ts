import { count } from '../texts/format.ts';

export const en = {
  did: {
    saved: 'Link changed',
    savedBack: 'The link is as it was',
    copied: (link: string) => `Copied ${link}`,
    deleted: (n: number) => `${count(n, 'link', 'links')} moved to the bin`,
    restored: (n: number) => `${count(n, 'link', 'links')} restored`,
    archived: (n: number) => `${count(n, 'link', 'links')} archived`,
    unarchived: (n: number) => `${count(n, 'link', 'links')} taken out of the archive`,
    moved: (n: number, folder: string) => `${count(n, 'link', 'links')} moved to ${folder}`,
    movedBack: (n: number) => `${count(n, 'link', 'links')} moved back`,
    tagged: (n: number) => `${count(n, 'link', 'links')} tagged`,
    expirySet: (n: number) => `Expiry of ${count(n, 'link', 'links')} changed`,
    expiryBack: 'The expiry is as it was',
    failed: (n: number) => `${count(n, 'link', 'links')} could not be changed`,
  },

  errors: {
    unreachable: 'The server does not answer. What was typed is kept.',
    stillRedirects: 'Your links still redirect and are counted.',
    /** Of the others the server says as much, in English. */
    codes: {
      INSUFFICIENT_SCOPE: 'This session cannot do that. Its key lacks the right.',
      STORAGE_UNAVAILABLE: 'The storage did not answer (503).',
      OVERLOADED: 'The server has too much to do at the moment.',
      REVISION_MISMATCH: 'This link was changed meanwhile. It is shown as it is now.',
      RATE_LIMIT_EXCEEDED: 'Too many requests in this minute.',
      INVALID_API_KEY: 'This key is not known here.',
      EXPIRED_API_KEY: 'This key has expired.',
      CUSTOM_CODE_TAKEN: 'This code is taken.',
      CUSTOM_CODE_RESERVED: 'This code is reserved.',
      INVALID_CUSTOM_CODE: 'A code cannot have these characters, or not together.',
      INVALID_URL: 'This is not a web address that visitors can open.',
      SELF_REFERENTIAL_URL: 'This address leads back to this server.',
      DESTINATION_BLOCKED: 'This destination is blocked here.',
      EXPIRY_IN_PAST: 'This moment is in the past.',
      UTM_TEMPLATE_NAME_TAKEN: 'Another template has this name.',
      TAG_NAME_TAKEN: 'Another tag has this name.',
    } as Readonly<Record<string, string>>,
  },

  writes: {
    wait: 'Waits until the server answers.',
    readOnly: 'This session may only read. Its key lacks the right to write links.',
  },
};
