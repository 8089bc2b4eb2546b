export const en = {
  signInLink: {
    signIn: (name: string, account: string) => `Sign in to ${account} as ${name}`,
    key: (name: string) => `the API key “${name}”`,
    once: 'This link can only be used once.',
    other: (name: string, account: string) =>
      `You are signed in to ${account} as ${name}. Only continue if you requested this link. You will switch to the other account.`,
    cancel: 'Cancel',
  },
  accounts: {
    title: 'Switch account',
    byKey: (name: string) => `API key ${name}`,
    here: 'Current account',
    switch: 'Switch',
    switchTo: (account: string) => `Switch to ${account}`,
    add: 'Sign in to another account',
    out: 'Sign out',
    outThere: (name: string | null) => `Sign out, including from ${name ?? 'single sign-on'}`,
    outOfAll: 'Sign out of all accounts',
  },

  device: {
    title: 'Authorize a device',
    code: 'Enter the code shown on the device',
    look: 'Continue',
    unknown: 'This code is not valid. It was already used or has expired.',
    membersOnly:
      'You are signed in with an API key. Only members can authorize a device; enter the API key on the device instead.',
    wants: (name: string, account: string) =>
      `wants to access ${account} as ${name}, with all your permissions, for 90 days.`,
    warning:
      'Only approve this if you started it and the device shows this code. You can revoke access under API keys.',
    approve: 'Approve',
    deny: 'Deny',
    approved: 'Device authorized. You can close this page.',
    denied: 'Request denied. You can close this page.',
  },
  again: {
    title: 'Confirm it’s you',
    about: 'This action cannot be undone. Sign in again to continue.',
    noWay: 'Can’t sign in? Ask an owner for a sign-in link, open it in this browser, and try again.',
  },
};
