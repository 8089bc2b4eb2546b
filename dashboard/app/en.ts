import { number } from '../texts/format.ts';

export const en = {
  shell: {
    skip: 'Skip to content',
    search: 'Search',
    main: 'Main navigation',
    newFolder: 'New folder',
    showAll: (n: number) => `Show all ${number(n)}`,
    notFound: 'Page not found',
    notFoundWay: 'Go to Links, or press ⌘K or Ctrl+K to search.',
    unreachable: 'The server is not responding',
  },

  notices: {
    offline: (time: string) => `No connection to the server since ${time}.`,
    nextTry: (seconds: number) => `Retrying in ${number(seconds)} s.`,
    tryNow: 'Retry now',
    newVersion: 'A new version is available.',
    reload: 'Reload',
  },
};
