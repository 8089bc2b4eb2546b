export const en = {
  accounts: {
    title: 'Your accounts in this browser',
    byKey: (name: string) => `With the key ${name}`,
    here: 'You are here',
    switch: 'Switch',
    switchTo: (account: string) => `Switch to ${account}`,
    add: 'Sign in to another account',
    out: 'Sign out',
    outOfAll: 'Sign out of all',
  },

  again: {
    title: 'Is it you?',
    about:
      'This could not be mended, and you signed in more than 15 minutes ago. Sign in once more, and it is done.',
    noWay: 'No way of your own? Ask an owner for a link to sign in, open it in this browser, and try again.',
  },
};
