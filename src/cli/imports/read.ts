import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { readAllowed } from '../../external/outbound/allowed.ts';
import { createOutbound } from '../../external/outbound/outbound.ts';
import { tableFields } from '../../importers/columns.ts';
import { type Notice, readLine, type SourceRecord } from '../../importers/format.ts';
import { withDatabase } from '../../importers/reading/databases.ts';
import { createJsonRequest } from '../../importers/reading/json-requests.ts';
import { type Counts, linesOf, noCounts } from '../../importers/reading/read.ts';
import { selects } from '../../importers/reading/selects.ts';
import { foundInTable } from '../../importers/reading/tables.ts';
import {
  type Choices,
  type ParseRow,
  readRows,
  type Service,
  SourceFailure,
} from '../../importers/service.ts';
import { services } from '../../importers/services/services.ts';
import { mappingOf, tableRow } from '../../importers/services/table.ts';
import { reasonOf } from '../../runtime/files/file-faults.ts';
import { openRows } from '../links/rows.ts';
import { addCommand } from '../terminal/command.ts';
import { exits, Stop } from '../terminal/exits.ts';
import { count, note, noteJson, plural } from '../terminal/print.ts';
import { noticeText, shownWarnings, stopIfStrict, strictHelp, type UnusedColumns } from './notices.ts';
import { addReadOptions, csv, type ReadOptions, sourceNames } from './read-options.ts';

/** Placeholder for the service when reading a CSV file, which has rows but no API or database. */
const spreadsheet: Service = { label: 'The file' };

const notes =
  'The output on stdout has the same format for all sources: one JSON object per line, described in docs/import-format.md. ' +
  'The output contains link passwords, so store it where others cannot read it. ' +
  'docs/importing.md explains for each source how to get a token, what is imported, and what is not supported.\n\n' +
  'The token is read from LINKFOLD_IMPORT_TOKEN or a file, never from an argument, which other users could see. A database is a SQLite ' +
  'file (--database), or the URL of a PostgreSQL server in LINKFOLD_IMPORT_DATABASE. Files (--links, --clicks) are CSV or ' +
  'TSV files with a header row, or JSON files. Rows that cannot be read are written to the output as separate lines with the type "problem".';

/** Adds `import read`, which reads a source into the neutral import format. */
export function addRead(group: Command): void {
  const command = addCommand(group, 'read', 'Read links and clicks from another service into a file', {
    examples: [
      [
        'linkfold import read shlink --at https://s.example.com > links.ndjson',
        'its API; the token is in LINKFOLD_IMPORT_TOKEN',
      ],
      ['linkfold import read dub --token-file dub.key > links.ndjson', 'a hosted service'],
      [
        'linkfold import read chhoto-url --database urls.sqlite --domain s.example.com > links.ndjson',
        'a database',
      ],
      ['linkfold import read yourls --links url.csv --clicks log.csv > links.ndjson', 'exported tables'],
      [
        'linkfold import read csv --links links.csv --column code="Back half" > links.ndjson',
        'a spreadsheet',
      ],
    ],
    notes,
    refused: 'some rows could not be read, or the source rejected the request',
    reaches: 'server',
  });
  addReadOptions(command)
    .option('--strict', strictHelp)
    .option('--json', 'print the counts as JSON, on stderr')
    .action((source: string, options: ReadOptions) => read(source, options));
}

async function read(source: string, options: ReadOptions): Promise<void> {
  const { counts, unusedColumns } = await readSource(source, options, async (text) => {
    if (!process.stdout.write(text)) await once(process.stdout, 'drain');
  });
  if (options.json) noteJson({ ...counts, unusedColumns });
  if (options.strict) stopIfStrict(counts.warnings, unusedColumns, `${sumOf(counts)} `);
  if (counts.problems > 0)
    throw new Stop(exits.refused, `${sumOf(counts)} See the lines with the type "problem".`);
  if (!options.json) note(sumOf(counts));
}

/**
 * Reads a source.
 * @param put receives the lines of the import file
 * @throws Stop if the source cannot be read completely
 */
export async function readSource(
  source: string,
  options: ReadOptions,
  put: (text: string) => Promise<void>,
): Promise<{ readonly counts: Counts; readonly unusedColumns: UnusedColumns }> {
  const service =
    source === csv ? spreadsheet : Object.hasOwn(services, source) ? services[source] : undefined;
  if (service === undefined)
    throw new Stop(exits.usage, `Unknown source "${source}". Sources: ${sourceNames.join(', ')}.`);
  const unknown = source === csv && Object.keys(options.column).find((field) => !tableFields.includes(field));
  if (unknown) throw new Stop(exits.usage, `Unknown field "${unknown}". Fields: ${tableFields.join(', ')}.`);
  const { domain, workspace, since, zone, dates, json } = options;
  const readAt = new Date().toISOString();
  const withClicks = options.clicks !== false;
  const choices: Choices = {
    ...{
      domain: domain ?? null,
      source: options.source,
      workspace,
      since,
      zone,
      dates,
      readAt,
      withClicks,
      token: '',
    },
    redirectStatus: Number(options.redirectStatus) || service.redirectStatus,
  };
  const counts = noCounts();
  const unusedColumns: UnusedColumns = {};
  const onNotice = (notice: Notice): void => {
    if (notice.type === 'unused') unusedColumns[notice.where] = notice.columns;
    const isShown = notice.type === 'unused' || counts.warnings < shownWarnings;
    if (isShown && !json) note(noticeText(notice));
  };
  const progress = json ? () => {} : progressOf(counts);
  const write = async (
    found: AsyncIterable<SourceRecord>,
    hasRowKeys: boolean = service.hasRowKeys ?? false,
  ): Promise<void> => {
    const instance = options.at ?? service.api?.at ?? null;
    for await (const text of linesOf(
      { source, instance, choices, hasRowKeys, found, readLine, onNotice },
      counts,
    )) {
      await put(text);
      progress();
    }
  };
  try {
    if (/^postgres(?:ql)?:/i.test(options.database ?? ''))
      throw new Stop(
        exits.usage,
        '--database must not be a PostgreSQL URL, because other users could see its password. Set LINKFOLD_IMPORT_DATABASE to the URL instead.',
      );
    const database = options.database ?? (process.env['LINKFOLD_IMPORT_DATABASE'] || undefined);
    if (options.links !== undefined || typeof options.clicks === 'string')
      await write(foundInFiles(service, choices, options));
    else if (database !== undefined) await readDatabase(source, service, { database, choices, write });
    else await write(foundByApi(service, choices, options), false);
  } catch (error) {
    if (!(error instanceof SourceFailure)) throw error;
    throw new Stop(error.isAway ? exits.unreachable : exits.refused, `${error.message} ${sumOf(counts)}`);
  }
  return { counts, unusedColumns };
}

export function sumOf({ links, visits, buckets, counters, problems, warnings }: Counts): string {
  const clicks =
    visits + buckets + counters === 0 || visits > 0
      ? plural(visits, 'click')
      : buckets > 0
        ? plural(buckets, 'sum', 'sums of clicks')
        : plural(counters, 'click count');
  const left =
    warnings === 0 ? '' : ` ${plural(warnings, 'value')} left out: see the lines with the type "warning".`;
  return `Read ${plural(links, 'link')} and ${clicks}; ${count(problems)} could not be read.${left}`;
}

const terminalIntervalMs = 1_000;
const logIntervalMs = 60_000;

/** Returns a function that reports progress at regular intervals. */
function progressOf(counts: Counts): () => void {
  let reportedAt = performance.now();
  const everyMs = process.stderr.isTTY ? terminalIntervalMs : logIntervalMs;
  return () => {
    const now = performance.now();
    if (now - reportedAt < everyMs) return;
    reportedAt = now;
    note(`… ${sumOf(counts)}`);
  };
}

async function* foundByApi(
  service: Service,
  choices: Choices,
  { at, tokenFile, json }: ReadOptions,
): AsyncGenerator<SourceRecord> {
  const { api, label } = service;
  if (api === undefined)
    throw new Stop(
      exits.usage,
      `${label} has no API to read from. Pass --links, and --clicks if you have a file with clicks.`,
    );
  const url = at === undefined ? undefined : URL.parse(at);
  if (url === null || (at === undefined && api.at === undefined))
    throw new Stop(exits.usage, `Specify the URL of ${label}: --at https://s.example.com`);
  if (api.note !== undefined && !json) note(api.note);
  // The host that the user named is allowed even if its address is private, because the user can access it from this
  // machine anyway.
  const outbound = createOutbound({ allowed: readAllowed(url?.hostname ?? ''), keep: 2 });
  const withToken = { ...choices, token: tokenIn(tokenFile) };
  const ask = createJsonRequest({
    service,
    choices: withToken,
    at,
    outbound,
    now: Date.now,
    wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    onWait: (ms) => note(`${label} limits requests. Waiting ${Math.ceil(ms / 1_000)} s.`),
  });
  try {
    yield* api.read(ask, withToken);
  } finally {
    outbound.close();
  }
}

function tokenIn(path: string | undefined): string {
  let token = process.env['LINKFOLD_IMPORT_TOKEN'] ?? '';
  try {
    if (path !== undefined) token = readFileSync(path === '-' ? 0 : path, 'utf8');
  } catch (error) {
    throw new Stop(exits.usage, `Could not read the token: ${reasonOf(error)}.`);
  }
  if (token.trim() === '')
    throw new Stop(exits.usage, 'No token. Set LINKFOLD_IMPORT_TOKEN, or pass --token-file.');
  return token.trim();
}

async function* foundInFiles(
  service: Service,
  choices: Choices,
  options: ReadOptions,
): AsyncGenerator<SourceRecord> {
  const parsers = { links: service.links, clicks: service.clicks };
  const report = options.json ? () => {} : (text: string) => note(text);
  const { encoding, dialect, header: hasHeader } = options;
  for (const name of ['links', 'clicks'] as const) {
    const path = options[name];
    if (typeof path !== 'string') continue;
    const parse = parsers[name];
    if (parse === undefined && name === 'clicks')
      throw new Stop(
        exits.usage,
        `--clicks cannot be used: ${service.label} files contain no ${name}. Omit --clicks.`,
      );
    let chosen: Record<string, string> = {};
    const parserOf = (columns: readonly string[]): ParseRow => {
      const pairs = Object.entries(options.column).map(([field, column]) => {
        const isPlace = !columns.includes(column) && /^[1-9]\d{0,4}$/.test(column);
        return [field, (isPlace ? columns[Number(column) - 1] : undefined) ?? column] as const;
      });
      if (parse !== undefined) {
        const found = pairs.filter(([, column]) => columns.includes(column));
        const [missing] = pairs.filter(([, column]) => !columns.includes(column));
        if (missing !== undefined && !(options.links && options.clicks))
          throw new SourceFailure(`Column "${missing[1]}" not found. Columns: ${columns.join(', ')}.`);
        const renamed = Object.fromEntries(found);
        return found.length === 0 ? parse : (row, all) => parse(row.withColumns(renamed), all);
      }
      const mapping = mappingOf(columns, { ...chosen, ...Object.fromEntries(pairs) });
      for (const [field, [first = '', ...others] = []] of Object.entries(mapping)) {
        if (chosen[field] !== first) report(`${field} is in the column "${[first, ...others].join('", "')}"`);
        chosen = { ...chosen, [field]: first };
      }
      return tableRow(mapping);
    };
    const tableOptions = { encoding, dialect, hasHeader, onNote: report };
    const { chunks } = await openRows(path);
    yield* foundInTable({ name, chunks, choices, options: tableOptions, parserOf });
  }
}

interface Database {
  readonly database: string;
  readonly choices: Choices;
  readonly write: (found: AsyncIterable<SourceRecord>) => Promise<void>;
}

function readDatabase(
  source: string,
  service: Service,
  { database, choices, write }: Database,
): Promise<void> {
  const select = Object.hasOwn(selects, source) ? selects[source] : undefined;
  if (select === undefined)
    throw new Stop(
      exits.usage,
      `Reading the ${service.label} database is not supported. To export its tables, see docs/importing.md.`,
    );
  return withDatabase(database, (rows) =>
    write(
      (async function* () {
        for (const name of ['links', 'clicks'] as const) {
          const text = select[name];
          const parse = service[name];
          if (text === undefined || parse === undefined || (name === 'clicks' && !choices.withClicks))
            continue;
          for await (const row of rows(text)) yield* readRows([row], name, choices, parse);
        }
      })(),
    ),
  );
}
