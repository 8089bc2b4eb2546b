import { useState } from 'preact/hooks';
import { closeDialog, query } from '../browser/location.ts';
import { saveFile } from '../browser/save-file.ts';
import { Button } from '../components/button.tsx';
import { Dialog, DialogFoot } from '../components/dialog.tsx';
import { TextField } from '../components/field.tsx';
import { Icon } from '../components/icon.tsx';
import { changed } from '../data/links/changes.ts';
import { changeEach } from '../data/links/each.ts';
import { beforeCode, shortDestination } from '../data/links/links.ts';
import { did } from '../data/undo.ts';
import { writesWait } from '../data/writes.ts';
import { chosenDomain, DomainField } from '../fields/domain-field.tsx';
import { mostLines, readLines, toCsv } from './lines.ts';
import { makeLine, type Result } from './make-lines.ts';
import { t } from './texts.ts';

/** Many links at once: paste lines or a CSV; each row tells what became of it, and what failed stays editable. */
export function Many() {
  const [text, setText] = useState(() => query.peek().get('text') ?? '');
  const [domain, setDomain] = useState(() => query.peek().get('domain') ?? '');
  const [fault, setFault] = useState<string>();
  const [results, setResults] = useState<readonly Result[]>([]);
  const [isBusy, setBusy] = useState(false);
  const lines = readLines(text);
  const made = results.filter(({ link }) => link !== undefined);
  const failed = results.filter(({ error }) => error !== undefined);

  const run = async (todo: readonly Result[]) => {
    setBusy(true);
    const left = [...todo];
    const work = async () => {
      for (let one = left.shift(); one !== undefined; one = left.shift()) {
        const done = await makeLine(one.line, domain);
        setResults((all) => all.map((other) => (other.line.number === done.line.number ? done : other)));
      }
    };
    await Promise.all([work(), work(), work(), work()]);
    setBusy(false);
    void changed();
  };
  const start = () => {
    const why = writesWait();
    const wrong =
      why ??
      (lines.length === 0
        ? t.many.nothing
        : lines.length > mostLines
          ? t.many.tooMany(mostLines)
          : undefined);
    setFault(wrong);
    if (wrong !== undefined || isBusy) return;
    const todo = lines.map((line) => ({ line }));
    setResults(todo);
    void run(todo);
  };
  const change = (at: number, changes: Partial<Result['line']>) =>
    setResults((all) =>
      all.map((one) => (one.line.number === at ? { ...one, line: { ...one.line, ...changes } } : one)),
    );
  const close = () => {
    void closeDialog();
    const ids = made.flatMap(({ link }) => link?.id ?? []);
    if (ids.length === 0) return;
    did(t.many.summary(results.length, made.length, failed.length), t.many.undone(ids.length), async () => {
      await changeEach(ids, { action: 'delete' });
      await changed();
    });
  };

  if (results.length === 0)
    return (
      <Dialog
        title={t.many.title}
        width="44rem"
        class="many"
        onClose={() => void closeDialog()}
        shortcuts={{ 'mod+enter': start }}
        foot={
          <DialogFoot
            action={lines.length === 0 ? t.many.makeNone : t.many.make(lines.length)}
            disabledReason={writesWait() ?? (lines.length === 0 ? t.many.nothing : undefined)}
            onAction={start}
            onCancel={() => void closeDialog()}
          >
            <FileButton onText={setText} />
          </DialogFoot>
        }
      >
        <div class="stack">
          <TextField
            label={t.many.paste}
            isMultiline
            value={text}
            aside={lines.length === 0 ? undefined : t.many.lines(lines.length)}
            onInput={(value) => {
              setText(value);
              setFault(undefined);
            }}
            help={t.many.help}
            error={fault}
          />
          <DomainField value={chosenDomain(domain)?.host} onChange={setDomain} />
        </div>
      </Dialog>
    );
  return (
    <Dialog
      title={t.many.title}
      aside={
        isBusy
          ? t.many.working(made.length + failed.length, results.length)
          : t.many.summary(results.length, made.length, failed.length)
      }
      width="56rem"
      class="many"
      onClose={close}
      tools={
        <Button
          size="small"
          icon="download"
          onClick={() => saveFile('links.csv', 'text/csv', toCsv(tableOf(results)))}
        >
          {t.many.results}
        </Button>
      }
      foot={
        <>
          <Button kind="quiet" onClick={close}>
            {t.many.done}
          </Button>
          {failed.length > 0 && (
            <Button kind="primary" isBusy={isBusy} keys="mod+enter" onClick={() => void run(failed)}>
              {t.many.again(failed.length)}
            </Button>
          )}
        </>
      }
    >
      <table class="ledger many-table">
        <tbody>
          {results.map((result) => (
            <ResultRow key={result.line.number} result={result} onChange={change} />
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
      {t.many.file}
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
  readonly onChange: (line: number, changes: Partial<Result['line']>) => void;
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
              aria-label={t.many.code(line.number)}
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
              aria-label={t.many.url(line.number)}
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
          <span class="soft">{t.many.drawn}</span>
        ) : null}
      </td>
    </tr>
  );
}

function tableOf(results: readonly Result[]): string[][] {
  return [
    ['line', 'url', 'shortUrl', 'error'],
    ...results.map(({ line, link, error }) => [
      String(line.number),
      line.url,
      link?.shortUrl ?? '',
      error?.text ?? '',
    ]),
  ];
}
