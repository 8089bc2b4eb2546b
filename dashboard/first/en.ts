export const en = {
  first: {
    title: 'Your server is ready',
    lead: 'Paste any address. It becomes a short link that you can click at once.',
    address: 'Address',
    make: 'Make it short',
    signedIn: 'Signed in',
    signedInMore: 'The one-time link is used up. Your session lasts 12 hours without use.',
    key: 'First key',
    keyMore: 'Printed once in the terminal. Make others, with fewer rights, under Keys.',
    baseUrl: (url: string) => `Short links begin with ${url}`,
    baseUrlLocal: 'Set BASE_URL to your own domain before you print a code.',
    baseUrlGood: 'The address that visitors will see.',
    made: 'Your first short link',
    open: 'Open',
    toLinks: 'To your links',
  },
};
