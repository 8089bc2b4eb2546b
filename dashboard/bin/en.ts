export const en = {
  bin: {
    title: 'Bin',
    about: 'Codes stay yours for ever. A restored link counts on where it was.',
    link: 'Link',
    deleted: 'Deleted',
    clicks: 'Clicks',
    restore: 'Restore',
    none: 'The bin is empty',
    noneMore: 'Deleted links wait here; their codes are given to no other account.',
    restored: (code: string) => `/${code} is back`,
    restoredBack: (code: string) => `/${code} is in the bin again`,
    failed: 'The bin could not be read',
    more: 'Older ones',
  },
};
