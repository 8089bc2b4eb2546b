export const en = {
  shares: {
    title: (code: string) => `Share the statistics of /${code}`,
    about:
      'With this address anyone reads the statistics of this link, without signing in, and nothing else.',
    expires: 'Ends',
    presets: { never: 'Never', '7': '7 days', '30': '30 days', '365': '1 year' },
    endsOn: (date: string) => `Ends ${date}.`,
    endsNever: 'It works until it is ended here.',
    make: 'Make an address',
    made: 'Copy it now. The server keeps only a fingerprint of it and cannot show it again.',
    open: 'Open',
    listed: 'Addresses that work',
    none: 'There is none yet.',
    madeOn: (date: string) => `Made ${date}`,
    never: 'never ends',
    until: (date: string) => `ends ${date}`,
    ended: (date: string) => `ended ${date}`,
    revoke: 'End',
    revokeNow: 'End for all readers',
    revoked: 'The address has ended',
    failed: 'The addresses could not be read',
    lacks: 'This session cannot share. Its key lacks the right to read statistics.',
  },

  shared: {
    title: (code: string) => `Statistics of /${code}`,
    to: (host: string) => `to ${host}`,
    about: 'Shared for reading. The numbers are those of this link alone.',
    gone: 'This address shows nothing',
    goneMore: 'It may have ended, or it is not whole. The owner of the link can make another one.',
    failed: 'The statistics could not be read',
  },
};
