import { useState } from 'preact/hooks';
import { closeDialog, query } from '../browser/location.ts';
import { saveFile } from '../browser/save-file.ts';
import { toCsv } from '../browser/to-csv.ts';
import { UtmFields } from '../builder/utm-fields.tsx';
import { Button } from '../components/button.tsx';
import { Check } from '../components/choices.tsx';
import { Dialog, DialogFoot } from '../components/dialog.tsx';
import { TextField } from '../components/field.tsx';
import { Icon } from '../components/icon.tsx';
import { folders } from '../data/groups.ts';
import { changed } from '../data/links/changes.ts';
import { changeEach } from '../data/links/each.ts';
import { beforeCode, shortDestination } from '../data/links/links.ts';
import { fullUtm, sentUtm } from '../data/links/utm.ts';
import { notifyWithUndo } from '../data/undo.ts';
import { writesWait } from '../data/writes.ts';
import { chosenDomain, DomainField } from '../fields/domain-field.tsx';
import { FolderField } from '../fields/folder-field.tsx';
import { TagsField } from '../fields/tags-field.tsx';
import { type Common, createLine, type Result } from './create-lines.ts';
import { type Line, maxLines, readTable } from './lines.ts';
import { Preview } from './preview.tsx';
import { t } from './texts.ts';

/**
 * Dialog "Add links in bulk": creates links from pasted lines or CSV. Each row shows its result, and failed rows stay
 * editable.
 */
export function BulkCreate() {
  const [common, setCommon] = useState<Common>(() => ({
    ...{
      domain: query.peek().get('domain') ?? '',
      folderId: null,
      tags: [],
      utm: null,
    },
  }));
  const [results, setResults] = useState<readonly Result[]>([]);
  const [isBusy, setBusy] = useState(false);

  const run = async (todo: readonly Result[]) => {
    setBusy(true);
    const left = [...todo];
    const work = async () => {
      for (let one = left.shift(); one !== undefined; one = left.shift()) {
        const done = await createLine(one.line, common);
        setResults((all) => all.map((other) => (other.line.number === done.line.number ? done : other)));
      }
    };
    await Promise.all([work(), work(), work(), work()]);
    setBusy(false);
    void changed();
  };
  const start = (lines: readonly Line[]) => {
    const todo = lines.map((line) => ({ line }));
    setResults(todo);
    void run(todo);
  };
  const change = (at: number, changes: Partial<Line>) =>
    setResults((all) =>
      all.map((one) => (one.line.number === at ? { ...one, line: { ...one.line, ...changes } } : one)),
    );
  if (results.length === 0) return <Paste common={common} onCommon={setCommon} onStart={start} />;
  return (
    <Results results={results} isBusy={isBusy} onChange={change} onAgain={(failed) => void run(failed)} />
  );
}

interface PasteProps {
  readonly common: Common;
  readonly onCommon: (common: Common) => void;
  readonly onStart: (lines: readonly Line[]) => void;
}

function Paste({ common, onCommon, onStart }: PasteProps) {
  const [text, setText] = useState(() => query.peek().get('text') ?? '');
  const [fault, setFault] = useState<string>();
  const pasted = readTable(text);
  const { lines } = pasted;
  const change = (changes: Partial<Common>) => onCommon({ ...common, ...changes });
  const isNothing = lines.length === 0;
  const start = () => {
    const tooMany = lines.length > maxLines ? t.bulkCreate.tooMany(maxLines) : undefined;
    const wrong = writesWait() ?? (isNothing ? t.bulkCreate.nothing : tooMany);
    setFault(wrong);
    if (wrong === undefined) onStart(lines);
  };
  return (
    <Dialog
      title={t.bulkCreate.title}
      width="44rem"
      class="bulk-create"
      onClose={() => void closeDialog()}
      shortcuts={{ 'mod+enter': start }}
      foot={
        <DialogFoot
          action={isNothing ? t.bulkCreate.makeNone : t.bulkCreate.make(lines.length)}
          disabledReason={writesWait() ?? (isNothing ? t.bulkCreate.nothing : undefined)}
          onAction={start}
          onCancel={() => void closeDialog()}
        >
          <FileButton onText={setText} />
        </DialogFoot>
      }
    >
      <div class="stack">
        <TextField
          label={t.bulkCreate.paste}
          isMultiline
          value={text}
          aside={isNothing ? undefined : t.bulkCreate.lines(lines.length)}
          onInput={(value) => {
            setText(value);
            setFault(undefined);
          }}
          help={t.bulkCreate.help}
          error={fault}
        />
        <DomainField value={chosenDomain(common.domain)?.host} onChange={(domain) => change({ domain })} />
        {!isNothing && <Preview pasted={pasted} />}
        <details class="bulk-create-common">
          <summary>{t.bulkCreate.common}</summary>
          <div class="stack">
            <FolderField
              value={common.folderId}
              folders={folders.value ?? []}
              onChange={(folderId) => change({ folderId })}
            />
            <TagsField value={common.tags} onChange={(tags) => change({ tags })} />
            <UtmFields utm={fullUtm(common.utm)} onChange={(utm) => change({ utm: sentUtm(utm) })} />
          </div>
        </details>
      </div>
    </Dialog>
  );
}

interface ResultsProps {
  readonly results: readonly Result[];
  readonly isBusy: boolean;
  readonly onChange: (line: number, changes: Partial<Line>) => void;
  readonly onAgain: (failed: readonly Result[]) => void;
}

function Results({ results, isBusy, onChange, onAgain }: ResultsProps) {
  const ids = results.flatMap(({ link }) => link?.id ?? []);
  const failed = results.filter(({ error }) => error !== undefined);
  const [isOnlyFailed, setOnlyFailed] = useState(false);
  const shown = isOnlyFailed && failed.length > 0 ? failed : results;
  const summary = t.bulkCreate.summary(results.length, ids.length, failed.length);
  const close = () => {
    void closeDialog();
    if (ids.length === 0) return;
    notifyWithUndo(summary, t.bulkCreate.undone(ids.length), async () => {
      await changeEach(ids, { action: 'delete' });
      await changed();
    });
  };
  return (
    <Dialog
      title={t.bulkCreate.title}
      aside={isBusy ? t.bulkCreate.working(ids.length + failed.length, results.length) : summary}
      width="56rem"
      class="bulk-create"
      onClose={close}
      tools={
        <Button
          size="small"
          icon="download"
          onClick={() => saveFile('links.csv', 'text/csv', toCsv(tableOf(shown)))}
        >
          {t.bulkCreate.results}
        </Button>
      }
      foot={
        <>
          <Button kind="quiet" onClick={close}>
            {t.bulkCreate.done}
          </Button>
          {failed.length > 0 && (
            <Button kind="primary" isBusy={isBusy} keys="mod+enter" onClick={() => onAgain(failed)}>
              {t.bulkCreate.again(failed.length)}
            </Button>
          )}
        </>
      }
    >
      {failed.length > 0 && failed.length < results.length && (
        <Check isOn={isOnlyFailed} onChange={setOnlyFailed}>
          {t.bulkCreate.onlyFailed}
        </Check>
      )}
      <table class="ledger bulk-create-table">
        <tbody>
          {shown.map((result) => (
            <ResultRow key={result.line.number} result={result} onChange={onChange} />
          ))}
        </tbody>
      </table>
    </Dialog>
  );
}

function FileButton({ onText }: { readonly onText: (text: string) => void }) {
  return (
    <label class="button second file-button">
      <Icon name="upload" />
      {t.bulkCreate.file}
      <input
        type="file"
        class="unseen"
        accept=".csv,.txt,.tsv,text/csv,text/plain"
        onChange={async (event) => {
          const file = event.currentTarget.files?.[0];
          if (file !== undefined) onText(await file.text());
        }}
      />
    </label>
  );
}

interface RowProps {
  readonly result: Result;
  readonly onChange: (line: number, changes: Partial<Line>) => void;
}

function ResultRow({ result, onChange }: RowProps) {
  const { line, link, error } = result;
  const isAboutUrl = error?.isAboutUrl ?? false;
  return (
    <tr>
      <td class={link !== undefined ? 'good' : error !== undefined ? 'bad' : ''}>
        {link !== undefined ? <Icon name="check" /> : error !== undefined ? <Icon name="alert" /> : null}
      </td>
      <td>
        {error !== undefined && !isAboutUrl ? (
          <span class="input">
            <input
              aria-label={t.bulkCreate.code(line.number)}
              aria-invalid="true"
              value={line.code}
              onInput={(event) => onChange(line.number, { code: event.currentTarget.value })}
            />
          </span>
        ) : (
          <b>{link === undefined ? line.code : beforeCode(link.shortUrl) + link.shortCode}</b>
        )}
      </td>
      <td class="target">
        {isAboutUrl ? (
          <span class="input">
            <input
              aria-label={t.bulkCreate.url(line.number)}
              aria-invalid="true"
              value={line.url}
              onInput={(event) => onChange(line.number, { url: event.currentTarget.value })}
            />
          </span>
        ) : (
          <span class="soft cut block" title={line.url}>
            {shortDestination(line.url)}
          </span>
        )}
      </td>
      <td>
        {error !== undefined ? (
          <span class="bad-words">{error.text}</span>
        ) : link !== undefined && line.code === '' ? (
          <span class="soft">{t.bulkCreate.drawn}</span>
        ) : null}
      </td>
    </tr>
  );
}

function tableOf(results: readonly Result[]): string[][] {
  return [
    ['line', 'url', 'code', 'title', 'folder', 'tags', 'shortUrl', 'error'],
    ...results.map(({ line, link, error }) => [
      String(line.number),
      ...[line.url, line.code, line.title, line.folder, line.tags.join(', ')],
      link?.shortUrl ?? '',
      error?.text ?? '',
    ]),
  ];
}
