import { count, number } from '../texts/format.ts';

export const en = {
  command: {
    copyShort: 'Copy the short link',
    title: 'Search or jump to',
    placeholder: 'Search or jump to',
    links: 'Links',
    of: (shown: number, total: number) => `${number(shown)} of ${number(total)}`,
    doWith: (code: string) => `Do with /${code}`,
    elsewhere: 'Elsewhere',
    choose: 'choose',
    thenLetter: 'then a letter: act on this link',
    took: (ms: number) => `${number(ms)} ms`,
    newWithCode: (code: string) => `New link with the code “${code}”`,
    newTo: (url: string) => `New link to ${url}`,
    folder: (name: string) => `Folder ${name}`,
    tag: (name: string) => `Tag ${name}`,
    folderLinks: (n: number) => count(n, 'link', 'links'),
    nothing: 'Nothing found',
    theme: 'Switch between light and dark',
    operator: 'All accounts',
  },
};
