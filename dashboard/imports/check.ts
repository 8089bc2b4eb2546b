import { api } from '../data/client.ts';
import { batchesOf } from './file.ts';

/** Line that an import would reject or change, with the reason. */
export interface Problem {
  /** Line number in the file. Undefined if unknown. */
  readonly line: number | undefined;
  readonly code: string;
  readonly column: string;
  readonly reason: string;
  readonly isRefused: boolean;
}

interface Checked {
  readonly file: File;
  /** For each line in the converted file, its source line in the original table. */
  readonly places: readonly string[] | undefined;
  readonly domain: string | null;
  readonly signal: AbortSignal;
  readonly onShare: (share: number) => void;
}

/**
 * Asks the server which lines an import would reject or change.
 * @returns the problems in line order
 */
export async function check({ file, places, domain, signal, onShare }: Checked): Promise<Problem[]> {
  const problems: Problem[] = [];
  for await (const { position, lines, share } of batchesOf(file, 0)) {
    if (signal.aborted) return problems;
    onShare(share);
    const links = lines.flatMap((line, at) => (line.type === 'link' ? [{ line, at }] : []));
    const found =
      links.length === 0 ? [] : await api.checkImportLines({ domain, lines: links.map(({ line }) => line) });
    const bySent = Map.groupBy(found, ({ line }) => links[line - 1]?.at ?? 0);
    for (const [at, given] of lines.entries()) {
      const line: Readonly<Record<string, unknown>> = { ...given };
      const inFile = position + at + 1;
      const of = {
        line: places === undefined ? inFile + 1 : lineIn(places[inFile]),
        code: String(line['code'] ?? ''),
      };
      if (line['type'] === 'problem' || line['type'] === 'warning')
        problems.push({
          ...{
            line: lineIn(String(line['where'])) ?? of.line,
            code: '',
            column: String(line['column'] ?? ''),
          },
          ...{ reason: String(line['reason']), isRefused: line['type'] === 'problem' },
        });
      for (const { outcome, reason } of bySent.get(at) ?? [])
        problems.push({ ...of, column: '', reason, isRefused: outcome === 'refused' });
    }
  }
  return problems;
}

/** Extracts the line number from a position. @param place such as `links line 5` */
function lineIn(place: string | undefined): number | undefined {
  const [, digits] = /(?:line|row) (\d+)/.exec(place ?? '') ?? [];
  return digits === undefined ? undefined : Number(digits);
}
