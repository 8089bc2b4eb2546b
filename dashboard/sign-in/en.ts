export const en = {
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
