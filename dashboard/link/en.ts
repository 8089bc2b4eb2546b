/** The codes of a link. */
export const codesTexts = {
  codes: {
    button: 'Codes',
    title: (code: string) => `Codes of /${code}`,
    about: 'Every code leads to the same link and counts for it. A code that was printed goes on working.',
    another: 'Another code',
    add: 'Add',
    listed: 'Codes that work',
    own: 'its own',
    none: 'It has no other code.',
    use: 'Make its own',
    remove: 'Remove',
    added: (code: string) => `/${code} leads to the link`,
    removed: (code: string) => `/${code} leads nowhere now`,
    failed: 'The codes could not be read',
  },
};
