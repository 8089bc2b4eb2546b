export const en = {
  join: {
    title: 'Join',
    to: (account: string) => `Join ${account}`,
    by: (name: string) => `${name} invites you.`,
    roles: {
      owner: 'You will be an owner, who may do everything.',
      admin: 'You will be an admin, who may do everything but what concerns owners.',
      editor: 'You will be an editor, who makes and changes links.',
      viewer: 'You will be a viewer, who sees links and statistics.',
    },
    name: 'Your name',
    nameMissing: 'Say what you are called.',
    ends: (date: string) => `Others of the account see it. The invitation ends on ${date}.`,
    submit: 'Join',
    bound: (email: string) =>
      `This invitation is for ${email}. Your identity provider confirms that the address is yours.`,
    gone: 'This invitation does not work any more',
    goneMore: 'It was used, withdrawn, or is older than 7 days. Ask whoever sent it for another one.',
  },
  signInLink: {
    signIn: (name: string, account: string) => `Sign in as ${name} to ${account}`,
    key: (name: string) => `the API key “${name}”`,
    once: 'This link works once.',
    other: (name: string, account: string) =>
      `You are signed in as ${name} to ${account}. Continue only if you asked for this link: what you create afterwards belongs to the other account.`,
    cancel: 'Cancel',
  },
  passkey: {
    add: 'Add a passkey',
    named: (date: string) => `Passkey of ${date}`,
    impossible: 'This browser has no passkeys here. They need https, or http://localhost.',
    signIn: 'Sign in with a passkey',
    or: 'or with a key',
    offer: 'Sign in by a touch',
    offerMore:
      'A passkey signs you in by finger, face or PIN of this device. There is no password, and nothing that could be stolen from the server.',
    later: 'Later',
  },
  signOn: {
    signIn: (name: string | null) => `Sign in with ${name ?? 'single sign-on'}`,
    join: (name: string | null) => `Join with ${name ?? 'single sign-on'}`,
    orName: 'or by saying your name',
    wait: 'Signing you in …',
    failed: 'You are not signed in',
    elsewhere: 'This sign-in was not begun in this browser, or was used already. Begin again.',
    again: 'To the sign-in',
  },
  signIn: {
    title: 'Sign in to Linkfold',
    key: 'API key',
    promise:
      'The key goes to the server once and is not kept in this browser. You then have a session that can do what the key can, for 12 hours without use.',
    submit: 'Sign in',
    noKey: 'No key at hand?',
    noKeyWay: 'On the server, this prints a link that signs you in once:',
    command: 'linkfold login',
    goneTitle: 'The session has ended',
    gone: 'What was typed is kept. Sign in, and go on where you were.',
    linkUsed: 'This sign-in link was used or is too old. A new one comes from linkfold login.',
    empty: 'Paste a key.',
    notAKey: 'A key begins with lfk_.',
  },
};
