import { useEffect, useRef, useState } from 'preact/hooks';
import { Fault } from '../components/ask.tsx';
import { Button } from '../components/button.tsx';
import { Check } from '../components/choices.tsx';
import { Field, TextField } from '../components/field.tsx';
import { Icon } from '../components/icon.tsx';
import { Ledger } from '../components/ledger.tsx';
import { Select } from '../components/select.tsx';
import { explain } from '../data/explain.ts';
import { FileButton } from './file-button.tsx';
import { Progress } from './progress.tsx';
import type { Converted, Mapping, Table, TableChoices } from './tables.ts';
import { t } from './texts.ts';

type Reader = typeof import('./tables.ts');

interface TableFileProps {
  readonly file: File;
  readonly onReady: (converted: Converted) => void;
  readonly onEnd: () => void;
}

/** Fields that may be filled from several columns. */
const several: ReadonlySet<string> = new Set(['short', 'password', 'state', 'disabled', 'deletedAt']);

/** Describes an error from the table reader. */
function failureOf(error: unknown): string {
  const { reason } = error as { readonly reason?: string };
  return (reason === undefined ? undefined : t.imports.failures[reason]) ?? explain(error);
}

/** Reads the beginning of a table. Reads the whole table once the columns are mapped. */
function useTable(file: File, onReady: (converted: Converted) => void) {
  const [reader, setReader] = useState<Reader>();
  const [table, setTable] = useState<Table>();
  const [choices, setChoices] = useState<TableChoices>();
  const [fault, setFault] = useState<string>();
  const [progress, setProgress] = useState<{ readonly share: number; readonly links: number }>();
  const running = useRef<AbortController>(null);

  const open = async (hasHeader: boolean, before?: TableChoices) => {
    setFault(undefined);
    try {
      const loaded = await import('./tables.ts');
      const found = await loaded.openTable(file, hasHeader);
      setReader(loaded);
      setTable(found);
      setChoices({
        ...{ dates: undefined, zone: 'UTC', host: '', clicks: undefined, source: found.source, ...before },
        mapping: loaded.guessColumns(found.columns),
        hasHeader,
      });
    } catch (error) {
      if ((error as { reason?: string }).reason === 'no-header' && hasHeader) return open(false, before);
      setFault(failureOf(error));
    }
  };
  useEffect(() => {
    void open(true);
    return () => running.current?.abort();
  }, [file]);

  const start = async () => {
    if (reader === undefined || choices === undefined) return;
    running.current = new AbortController();
    const { signal } = running.current;
    const onProgress = (share: number, links: number) => setProgress({ share, links });
    setFault(undefined);
    try {
      onReady(await reader.convert(file, choices, onProgress, signal));
    } catch (error) {
      if (!signal.aborted) setFault(failureOf(error));
    }
    setProgress(undefined);
  };
  const change = (changes: Partial<TableChoices>) => {
    if (choices !== undefined) setChoices({ ...choices, ...changes });
  };
  return {
    reader,
    table,
    choices,
    fault,
    progress,
    open,
    start,
    change,
    stop: () => running.current?.abort(),
  };
}

/** Form for a selected table: service, column mapping and value formats. */
export function TableFile({ file, onReady, onEnd }: TableFileProps) {
  const { reader, table, choices, fault, progress, open, start, change, stop } = useTable(file, onReady);
  if (reader === undefined || table === undefined || choices === undefined)
    return (
      <section class="import-file" aria-busy={fault === undefined}>
        <h2 class="cut">{file.name}</h2>
        {fault === undefined ? <p class="soft">{t.imports.looking}</p> : <Fault text={fault} />}
        <div class="ways">
          <Button onClick={onEnd}>{fault === undefined ? t.imports.cancel : t.imports.chooseOther}</Button>
        </div>
      </section>
    );
  const { source, mapping, hasHeader } = choices;
  const isFixed = reader.hasOwnTable(source, 'links');
  const used = new Set(Object.values(mapping).flat());
  const unused = table.columns.filter((column) => !used.has(column));
  const lacks = isFixed
    ? undefined
    : mapping['url'] === undefined
      ? t.imports.needsUrl
      : (mapping['code'] ?? mapping['short']) === undefined
        ? t.imports.needsCode
        : undefined;
  if (progress !== undefined)
    return (
      <section class="import-file" aria-busy="true">
        <h2 class="cut">{file.name}</h2>
        <Progress share={progress.share} label={t.imports.read(progress.links)} />
        <div class="ways">
          <Button onClick={stop}>{t.imports.cancel}</Button>
        </div>
      </section>
    );
  return (
    <section class="import-file">
      <h2 class="cut">{file.name}</h2>
      {table.notes.map((note) => (
        <p key={note} class="small soft">
          {t.imports.notes[note]}
        </p>
      ))}
      <Options reader={reader} choices={choices} onChange={change} />
      {isFixed ? (
        <p class="small soft">{t.imports.fixed}</p>
      ) : (
        <Columns
          reader={reader}
          table={table}
          mapping={mapping}
          onChange={(next) => change({ mapping: next })}
        />
      )}
      {!isFixed && unused.length > 0 && (
        <p class="small soft">{t.imports.unusedColumns(unused.join(', '))}</p>
      )}
      {/\.(?:json|ndjson|jsonl)$/i.test(file.name) ? null : (
        <Check isOn={hasHeader} onChange={(on) => void open(on, choices)}>
          {t.imports.header}
        </Check>
      )}
      {lacks !== undefined && (
        <p class="warning">
          <Icon name="warning" />
          {lacks}
        </p>
      )}
      <Fault text={fault} />
      <div class="ways">
        <Button kind="primary" disabledReason={lacks} onClick={() => void start()}>
          {t.imports.check}
        </Button>
        <Button kind="quiet" onClick={onEnd}>
          {t.imports.cancel}
        </Button>
      </div>
    </section>
  );
}

interface OptionsProps {
  readonly reader: Reader;
  readonly choices: TableChoices;
  readonly onChange: (changes: Partial<TableChoices>) => void;
}

function Options({ reader, choices, onChange }: OptionsProps) {
  const { source, mapping, dates, zone, host, clicks } = choices;
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const hasHost = mapping['short'] !== undefined || mapping['domain'] !== undefined;
  return (
    <div class="import-options">
      <Field id="import-source" label={t.imports.service}>
        <Select
          id="import-source"
          value={source}
          options={[['csv', t.imports.otherTable] as const, ...reader.sources].map(([value, label]) => ({
            value,
            label,
          }))}
          onChange={(value) => onChange({ source: value, clicks: undefined })}
        />
      </Field>
      <Field id="import-dates" label={t.imports.dates}>
        <Select
          id="import-dates"
          value={dates ?? ''}
          options={[
            { value: '', label: t.imports.datesLeftOut },
            { value: 'dmy', label: t.imports.dayFirst },
            { value: 'mdy', label: t.imports.monthFirst },
          ]}
          onChange={(value) => onChange({ dates: value === '' ? undefined : (value as 'dmy' | 'mdy') })}
        />
      </Field>
      {'Temporal' in globalThis && here !== 'UTC' && (
        <Field id="import-zone" label={t.imports.zone}>
          <Select
            id="import-zone"
            value={zone}
            options={['UTC', here].map((value) => ({ value, label: value }))}
            onChange={(value) => onChange({ zone: value })}
          />
        </Field>
      )}
      {!hasHost && (
        <TextField
          label={t.imports.host}
          isOptional
          value={host}
          placeholder="go.example.com"
          onInput={(value) => onChange({ host: value.trim().toLowerCase() })}
        />
      )}
      {reader.hasOwnTable(source, 'clicks') && (
        <div class="import-clicks">
          <FileButton label={t.imports.addClicks} onFile={(file) => onChange({ clicks: file })} />
          <span class="small soft cut">{clicks?.name ?? t.imports.addClicksHelp}</span>
        </div>
      )}
    </div>
  );
}

interface ColumnsProps {
  readonly reader: Reader;
  readonly table: Table;
  readonly mapping: Mapping;
  readonly onChange: (mapping: Mapping) => void;
}

/** Table that lists each column with its first values and the field that it fills. */
function Columns({ reader, table, mapping, onChange }: ColumnsProps) {
  const options = ['', ...reader.tableFields].map((value) => ({
    value,
    label: t.imports.fields[value] ?? value,
  }));
  const fill = (column: string, field: string) => {
    const rest = Object.entries(mapping).flatMap(([name, columns = []]) => {
      const left = columns.filter((one) => one !== column);
      return left.length === 0 || (name === field && !several.has(name)) ? [] : [[name, left] as const];
    });
    const next: Mapping = Object.fromEntries(rest);
    onChange(field === '' ? next : { ...next, [field]: [...(next[field] ?? []), column] });
  };
  return (
    <Ledger
      class="import-columns"
      columns={[
        { name: t.imports.column },
        { name: t.imports.values, class: 'wide' },
        { name: t.imports.field },
      ]}
    >
      {table.columns.map((column, at) => {
        const [field = ''] = Object.entries(mapping).find(([, columns]) => columns?.includes(column)) ?? [];
        const values = table.rows.flatMap((row) => row[at] || []).slice(0, 3);
        return (
          <tr key={column} class={field === '' ? 'soft' : ''}>
            <td>
              <b class="cut block" title={column}>
                {column || t.imports.noName}
              </b>
            </td>
            <td class="wide">
              {values.map((value, row) => (
                <span key={`${row} ${value}`} class="soft cut block" title={value}>
                  {value}
                </span>
              ))}
            </td>
            <td>
              <Select
                label={t.imports.fieldOf(column)}
                value={field}
                options={options}
                onChange={(value) => fill(column, value)}
              />
            </td>
          </tr>
        );
      })}
    </Ledger>
  );
}
