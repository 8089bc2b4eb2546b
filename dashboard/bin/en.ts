export const en = {
  bin: {
    title: 'Bin',
    about: 'Deleted links keep their codes and clicks. Restore a link to make it work again.',
    link: 'Link',
    deleted: 'Deleted',
    clicks: 'Clicks',
    restore: 'Restore',
    none: 'The bin is empty',
    noneMore: 'Deleted links appear here. Their codes stay reserved for your account.',
    restored: (code: string) => `/${code} restored`,
    restoredBack: (code: string) => `/${code} moved to the bin`,
    failed: 'Could not load the bin',
    more: 'Show older links',
  },
};
