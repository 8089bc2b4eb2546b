import { closeSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { type Command, Option } from 'commander';
import { exits, Stop, unwritable } from './exits.ts';
import { count, note, plural, printJson, size } from './print.ts';

const formats = ['csv', 'ndjson'] as const;
export type ExportFormat = (typeof formats)[number];

/** Options for commands that can export all rows. */
export interface ExportOptions {
  readonly format?: ExportFormat;
  readonly out?: string;
  readonly json?: true;
}

/** Adds `--format` and `--out`; {@link formatGiven} reads them. */
export function addExportOptions(command: Command): void {
  const options = [
    new Option('--format <format>', 'export all rows: csv for spreadsheets, ndjson for programs').choices(
      formats,
    ),
    new Option('--out <file>', 'file to write (default: stdout); .csv or .ndjson sets --format'),
  ];
  for (const option of options) command.addOption(option);
}

/**
 * Returns the export format, or undefined if the options request no export.
 * @throws Stop if the format cannot be determined
 */
export function formatGiven({ format, out, json }: ExportOptions): ExportFormat | undefined {
  const ending = formats.find((one) => out?.toLowerCase().endsWith(`.${one}`));
  const given = format ?? ending;
  if (given === undefined && out !== undefined)
    throw new Stop(exits.usage, '--out must end in .csv or .ndjson unless you pass --format.');
  if (given !== undefined && out === undefined && json)
    throw new Stop(exits.usage, '--json requires --out, because it prints facts about the written file.');
  return given;
}

/**
 * Streams an export to a file or stdout. Shows progress on stderr if it is a terminal, unless the export itself goes to
 * a terminal. A file has the suffix `.part` until it is complete.
 * @throws the error that interrupted the export
 */
export async function writeExport(
  chunks: AsyncIterable<Uint8Array>,
  format: ExportFormat,
  { out, json }: ExportOptions,
): Promise<void> {
  const progress = createCounter(format, out !== undefined || process.stdout.isTTY !== true);
  const target = out === undefined ? ontoStdout : openFile(out);
  try {
    for await (const chunk of chunks) {
      if (!(await target.write(chunk))) return;
      progress.add(chunk);
    }
  } catch (error) {
    progress.clear();
    target.discard();
    throw error;
  }
  target.commit();
  progress.clear();
  if (out === undefined) return;
  const [rows, bytes] = [progress.rows(), progress.bytes()];
  if (json) printJson({ file: out, rows, bytes });
  else note(`${plural(rows, 'row')} in ${out} (${size(bytes)}).`);
}

interface Target {
  /** Writes a chunk. @returns false if nothing more can be written */
  write(chunk: Uint8Array): Promise<boolean>;
  commit(): void;
  discard(): void;
}

const ontoStdout: Target = {
  // If the reader of stdout closes it, `stdoutClosed` ends the command.
  write: (chunk) => new Promise((resolve) => process.stdout.write(chunk, (error) => resolve(!error))),
  commit: () => {},
  discard: () => {},
};

function openFile(path: string): Target {
  const part = `${path}.part`;
  const stopped = (error: unknown): Stop => unwritable(path, error);
  const trying = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      throw stopped(error);
    }
  };
  const file = trying(() => openSync(part, 'w'));
  return {
    async write(chunk) {
      for (let from = 0; from < chunk.length; ) from += trying(() => writeSync(file, chunk, from));
      return true;
    },
    commit() {
      closeSync(file);
      trying(() => renameSync(part, path));
    },
    discard() {
      closeSync(file);
      rmSync(part, { force: true });
    },
  };
}

const drawEveryMs = 100;
const [newline, quote] = [0x0a, 0x22];

/** Creates a counter that counts an export's rows as they are written, and shows the count. */
function createCounter(format: ExportFormat, mayDraw: boolean) {
  const stream = process.stderr;
  const draws = mayDraw && stream.isTTY === true && process.env.TERM !== 'dumb';
  let lines = 0;
  let bytes = 0;
  let drawnAt = 0;
  let isQuoted = false;
  const rows = (): number => Math.max(0, format === 'csv' ? lines - 1 : lines);
  return {
    rows,
    bytes: () => bytes,
    add(chunk: Uint8Array) {
      bytes += chunk.length;
      for (const byte of chunk) {
        // A quoted CSV cell may contain line breaks. Two quotes in a row inside a cell toggle `isQuoted` twice, so they
        // do not end the cell.
        if (byte === quote) isQuoted = format === 'csv' && !isQuoted;
        else if (byte === newline && !isQuoted) lines += 1;
      }
      if (!draws || performance.now() - drawnAt < drawEveryMs) return;
      drawnAt = performance.now();
      stream.write(`\r\u001b[2K${count(rows())} rows, ${size(bytes)}`);
    },
    clear() {
      if (draws) stream.write('\r\u001b[2K');
    },
  };
}
