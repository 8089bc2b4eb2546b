import { count, number } from '../texts/format.ts';

export const en = {
  many: {
    title: 'Add many',
    paste: 'Lines or CSV',
    help: 'One address a line; after a comma its code and its title. A first line with names (url, domain, code, title, folder, tags, expires) is read as such.',
    file: 'Choose a file',
    makeNone: 'Make links',
    make: (n: number) => `Make ${count(n, 'link', 'links')}`,
    lines: (n: number) => count(n, 'line', 'lines'),
    summary: (lines: number, made: number, failed: number) =>
      `${count(lines, 'line', 'lines')}, ${count(made, 'link', 'links')} made${failed > 0 ? `, ${failed === 1 ? '1 needs you' : `${number(failed)} need you`}` : ''}`,
    drawn: 'Code made for you',
    again: (n: number) => (n === 1 ? 'Try the one again' : `Try the ${number(n)} again`),
    results: 'Results as CSV',
    undone: (n: number) => `${count(n, 'link', 'links')} moved to the bin`,
    tooMany: (most: number) => `At most ${number(most)} lines at a time.`,
    nothing: 'Paste at least one address.',
    done: 'Done',
    working: (done: number, all: number) => `${number(done)} of ${number(all)}`,
    code: (line: number) => `Code of line ${number(line)}`,
    url: (line: number) => `Address of line ${number(line)}`,
  },
};
