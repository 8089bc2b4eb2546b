import { number } from '../texts/format.ts';

export const en = {
  shell: {
    skip: 'Skip to the content',
    search: 'Search',
    main: 'Main',
    newFolder: 'New folder',
    showAll: (n: number) => `All ${number(n)}`,
    notFound: 'There is nothing at this address',
    notFoundWay: 'The links are under Links, and ⌘K or Ctrl+K finds everything else.',
    unreachable: 'The server does not answer',
  },

  offline: {
    since: (time: string) => `No connection to the server since ${time}.`,
    nextTry: (seconds: number) => `Next try in ${number(seconds)} s.`,
    tryNow: 'Try now',
  },
};
