export const en = {
  signInLink: {
    signIn: (name: string, account: string) => `Sign in as ${name} to ${account}`,
    key: (name: string) => `the API key “${name}”`,
    once: 'This link works once.',
    other: (name: string, account: string) =>
      `You are signed in as ${name} to ${account}. Continue only if you asked for this link: what you create afterwards belongs to the other account.`,
    cancel: 'Cancel',
  },
  accounts: {
    title: 'Your accounts in this browser',
    byKey: (name: string) => `With the key ${name}`,
    here: 'You are here',
    switch: 'Switch',
    switchTo: (account: string) => `Switch to ${account}`,
    add: 'Sign in to another account',
    out: 'Sign out',
    outThere: (name: string | null) => `Sign out, also of ${name ?? 'single sign-on'}`,
    outOfAll: 'Sign out of all',
  },

  device: {
    title: 'Let a program sign in',
    code: 'The code that it shows',
    look: 'Go on',
    unknown: 'This code is not known. It was answered before, or is older than 10 minutes.',
    onlyPeople: 'A person lets a program sign in. This browser acts with a key: give the program that key.',
    wants: (name: string, account: string) =>
      `wants to act as ${name} in ${account}, with all that you may do, for 90 days.`,
    warning:
      'Approve it only if you began it yourself, and it shows this code. Its key can be revoked under Keys.',
    approve: 'Approve',
    deny: 'Turn away',
    approved: 'It is signed in. You can close this page.',
    denied: 'It was turned away. You can close this page.',
  },
  again: {
    title: 'Is it you?',
    about:
      'This could not be mended, and you signed in more than 15 minutes ago. Sign in once more, and it is done.',
    noWay: 'No way of your own? Ask an owner for a link to sign in, open it in this browser, and try again.',
  },
};
