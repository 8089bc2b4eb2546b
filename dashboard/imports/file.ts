import type { AddImportLinesInput, GetImportResult } from '../../src/client/client.ts';
import { createPause, piecesOf } from './slices.ts';

// Reads the output of `linkfold import read` in chunks, because the file may not fit in memory.

export type Line = AddImportLinesInput['lines'][number];

/** Header (first line) of an import file. */
export interface Head {
  readonly source: string;
  readonly instance: string | null;
  readonly installation: string | null;
  readonly readAt: string;
}

const maxLineLength = 1_000_000;

interface Read {
  readonly value: unknown;
  /** Fraction of the file read so far, 0 to 1. */
  readonly share: number;
}

/** Returns true if the file's first characters match the format that `linkfold import read` writes. */
export async function isImportFile(file: File): Promise<boolean> {
  return /^\s*\{\s*"type"\s*:\s*"import"/.test(await file.slice(0, 100).text());
}

/** Yields a file's parsed lines. `value` is undefined if a line is not valid JSON. */
async function* linesOf(file: File): AsyncGenerator<Read, void, undefined> {
  const decoder = new TextDecoder();
  const pause = createPause();
  let rest = '';
  let share = 0;
  const onShare = (read: number) => {
    share = read;
  };
  for await (const piece of piecesOf(file, onShare)) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      yield { value: parsed(line), share };
      await pause();
    }
    // A line above the limit is invalid. Keep just enough of the line to detect that.
    if (rest.length > maxLineLength) rest = rest.slice(0, maxLineLength + 1);
  }
  if (rest !== '') yield { value: parsed(rest), share: 1 };
}

function parsed(line: string): unknown {
  try {
    return line.length > maxLineLength ? undefined : JSON.parse(line);
  } catch {
    return undefined;
  }
}

function headIn(value: unknown): Head | undefined {
  const {
    type,
    version,
    source,
    instance = null,
    installation = null,
    readAt,
  } = (value ?? {}) as Partial<Head> & Line & { version?: number };
  const isOne =
    type === 'import' && version === 1 && typeof source === 'string' && typeof readAt === 'string';
  return isOne ? { source, instance, installation, readAt } : undefined;
}

/** Import file summary. */
export interface FileContent {
  readonly head: Head;
  readonly links: number;
  readonly clicks: number;
  readonly unusedColumns: readonly string[];
  /** Whether the file is complete, which means that it has an end line. */
  readonly isWhole: boolean;
  readonly hosts: readonly Host[];
  /** Features of the original links that are lost on import, with the number of affected links. */
  readonly lost: readonly (readonly [what: string, links: number])[];
}

/** Links on one host. `host` is null if the source does not name the host. */
export interface Host {
  readonly host: string | null;
  readonly links: number;
  /** Number of links whose code differs from another link's code only in case. */
  readonly alike: number;
}

/**
 * Scans an import file and returns its summary.
 * @returns undefined if the file is not in the import format
 */
export async function inspectFile(
  file: File,
  onShare: (share: number) => void,
): Promise<FileContent | undefined> {
  let head: Head | undefined;
  let links = 0;
  const unusedColumns: string[] = [];
  let isWhole = false;
  const hosts = new Map<string | null, { links: number; alike: number; codes: Set<string> }>();
  const clicksOf = new Map<string, { dated: number; counter: number }>();
  const lost = new Map<string, number>();
  for await (const { value, share } of linesOf(file)) {
    if (head === undefined) {
      head = headIn(value);
      if (head === undefined) return undefined;
      continue;
    }
    onShare(share);
    const line = (value ?? {}) as Record<string, unknown>;
    isWhole = line['type'] === 'end';
    if (line['type'] === 'link') {
      const {
        key,
        domain = null,
        code,
        lost: gone = [],
      } = line as { key: string; domain?: string | null; code: string; lost?: string[] };
      if (clicksOf.has(key)) continue;
      clicksOf.set(key, { dated: 0, counter: 0 });
      links += 1;
      const of = hosts.get(domain) ?? { links: 0, alike: 0, codes: new Set() };
      hosts.set(domain, of);
      of.links += 1;
      const folded = String(code).toLowerCase();
      if (of.codes.has(folded)) of.alike += 1;
      of.codes.add(folded);
      for (const what of gone) lost.set(what, (lost.get(what) ?? 0) + 1);
    } else if (line['type'] === 'visit' || line['type'] === 'bucket') {
      const of = clicksOf.get(String(line['key']));
      if (of !== undefined) of.dated += Number(line['clicks'] ?? 1);
    } else if (line['type'] === 'counter') {
      const of = clicksOf.get(String(line['key']));
      if (of !== undefined) of.counter = Number(line['clicks']);
    } else if (line['type'] === 'unused') unusedColumns.push(...(line['columns'] as string[]));
  }
  if (head === undefined) return undefined;
  // A link's click counter includes its individual clicks, so take the larger number instead of the sum.
  const clicks = [...clicksOf.values()].reduce(
    (sum, { dated, counter }) => sum + Math.max(dated, counter),
    0,
  );
  const shown = [...hosts].map(([host, { links: of, alike }]) => ({ host, links: of, alike }));
  return { head, links, clicks, unusedColumns, isWhole, hosts: shown, lost: [...lost] };
}

/** Maximum number of lines per request. Slightly below the server's limit. */
const maxLinesPerRequest = 1_000;
const maxRequestLength = 300_000;
const maxPasswords = 20;

/** Returns the number of clicks that an import added. */
export function newClicks({ counts }: Pick<GetImportResult, 'counts'>): number {
  return counts.clicks - counts.unchangedClicks + counts.undatedClicks;
}

/** Yields the lines after a position, in batches that each fit into one request. */
export async function* batchesOf(
  file: File,
  behind: number,
): AsyncGenerator<AddImportLinesInput & { readonly share: number }, void, undefined> {
  // The header is line 0 and is not sent.
  let position = -1;
  let length = 0;
  let lines: Line[] = [];
  let passwords = new Set<unknown>();
  for await (const { value, share } of linesOf(file)) {
    position += 1;
    if (position === 0 || position <= behind) continue;
    const isOne = typeof value === 'object' && value !== null && !Array.isArray(value);
    const line = isOne ? (value as Line) : unread(position);
    const size = JSON.stringify(line).length;
    if ('password' in line) passwords.add(line['password']);
    if (
      lines.length >= maxLinesPerRequest ||
      length + size > maxRequestLength ||
      passwords.size > maxPasswords
    ) {
      yield { position: position - 1 - lines.length, lines, share };
      lines = [];
      length = 0;
      passwords = new Set('password' in line ? [line['password']] : []);
    }
    lines.push(line);
    length += size;
  }
  if (lines.length > 0) yield { position: position - lines.length, lines, share: 1 };
}

function unread(line: number): Line {
  return { type: 'problem', where: `line ${line + 1}`, reason: 'it is not valid JSON in UTF-8' } as Line;
}
