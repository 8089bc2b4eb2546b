import { count, number } from '../texts/format.ts';

export const en = {
  bulkCreate: {
    title: 'Add links in bulk',
    paste: 'Paste links or CSV',
    help: 'One destination per line, optionally followed by a code and a title, separated by commas. Or paste CSV with a header row such as URL, Code, Title, Folder, Tags, Expires.',
    file: 'Choose file',
    makeNone: 'Create links',
    make: (n: number) => `Create ${count(n, 'link', 'links')}`,
    common: 'Folder, tags and UTM parameters for all links',
    noHead: 'No header row. Columns: destination, code, title.',
    columns: (names: string) => `Columns: ${names}.`,
    columnIs: (column: string, part: string) => (column === part ? part : `${column} (${part})`),
    unused: (names: string) => `Ignored columns: ${names}.`,
    further: (n: number) => `and ${count(n, 'more line', 'more lines')}`,
    onlyFailed: 'Show failed lines only',
    parts: {
      ...{ url: 'Destination', short: 'Short link', code: 'Code', title: 'Title', domain: 'Domain' },
      ...{ folder: 'Folder', tags: 'Tags', expires: 'Expires', expiresAt: 'Expires', utm: 'UTM' },
      ...{ utm_source: 'UTM source', utm_medium: 'UTM medium', utm_campaign: 'UTM campaign' },
      ...{ utm_term: 'UTM term', utm_content: 'UTM content' },
    } as Readonly<Record<string, string>>,
    lines: (n: number) => count(n, 'line', 'lines'),
    summary: (lines: number, made: number, failed: number) =>
      `${count(lines, 'line', 'lines')}, ${count(made, 'link', 'links')} created${failed > 0 ? `, ${`${number(failed)} failed`}` : ''}`,
    drawn: 'Random code',
    again: (n: number) => (n === 1 ? 'Retry the failed line' : `Retry ${number(n)} failed lines`),
    results: 'Download results (CSV)',
    undone: (n: number) => `${count(n, 'link', 'links')} moved to the bin`,
    tooMany: (most: number) => `You can add up to ${number(most)} lines at a time.`,
    nothing: 'Enter at least one destination.',
    done: 'Done',
    working: (done: number, all: number) => `${number(done)} of ${number(all)}`,
    code: (line: number) => `Code on line ${number(line)}`,
    url: (line: number) => `Destination on line ${number(line)}`,
  },
};
