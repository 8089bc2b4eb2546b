import { useEffect, useRef, useState } from 'preact/hooks';
import type { ListImportsResult } from '../../src/client/client.ts';
import { Dialog, DialogFoot } from '../components/dialog.tsx';
import { Icon } from '../components/icon.tsx';
import { Ledger, RowMenu } from '../components/ledger.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Page } from '../components/page.tsx';
import { api } from '../data/client.ts';
import { showFailure } from '../data/explain.ts';
import { changed } from '../data/links/changes.ts';
import { writesWait } from '../data/writes.ts';
import { relative } from '../texts/format.ts';
import { ChosenFile } from './chosen.tsx';
import { isImportFile, newClicks } from './file.ts';
import { FileButton } from './file-button.tsx';
import { TableFile } from './table-file.tsx';
import { t } from './texts.ts';

type Import = ListImportsResult[number];

/** Milliseconds between refreshes while the server is processing an import. */
const refreshMs = 1_500;
const inProgress: ReadonlySet<Import['state']> = new Set(['counting', 'undoing']);

/** Screen for imports from other services: select a file, preview and import it, or undo previous imports. */
export function Imports() {
  const [imports, setImports] = useState<ListImportsResult>();
  const [error, setError] = useState<unknown>();
  const [table, setTable] = useState<File>();
  const [chosen, setChosen] = useState<{ readonly file: File; readonly places?: readonly string[] }>();
  const [undone, setUndone] = useState<Import>();

  const read = () =>
    api.listImports().then((found) => {
      setImports(found);
      setError(undefined);
    }, setError);
  useEffect(() => {
    void read();
  }, []);
  const isMoving = imports?.some(({ state }) => inProgress.has(state)) ?? false;
  useEffect(() => {
    if (!isMoving) return undefined;
    const timer = setInterval(() => void read(), refreshMs);
    return () => {
      clearInterval(timer);
      void changed();
    };
  }, [isMoving]);

  const take = async (file: File) => {
    if (await isImportFile(file)) setChosen({ file });
    else setTable(file);
  };
  const end = () => {
    setTable(undefined);
    setChosen(undefined);
    void read();
    void changed();
  };
  return (
    <Page title={t.imports.title} about={t.imports.about}>
      {chosen !== undefined && (
        <ChosenFile {...chosen} onEnd={end} onBack={table && (() => setChosen(undefined))} />
      )}
      {table !== undefined && (
        <div hidden={chosen !== undefined}>
          <TableFile file={table} onReady={setChosen} onEnd={end} />
        </div>
      )}
      {chosen === undefined && table === undefined && <Choose onFile={(file) => void take(file)} />}
      <Loaded value={imports} error={error} failed={t.imports.failed} onRetry={read}>
        {(imports) => imports.length > 0 && <Earlier imports={imports} onUndo={setUndone} />}
      </Loaded>
      {undone !== undefined && (
        <UndoDialog
          subject={undone}
          onClose={() => {
            setUndone(undefined);
            void read();
          }}
        />
      )}
    </Page>
  );
}

function Choose({ onFile }: { readonly onFile: (file: File) => void }) {
  const [isOver, setOver] = useState(false);
  const why = writesWait();
  return (
    <section
      class={`import-drop ${isOver ? 'over' : ''}`}
      aria-label={t.imports.choose}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        const [file] = event.dataTransfer?.files ?? [];
        if (file !== undefined && why === undefined) onFile(file);
      }}
    >
      <Icon name="upload" />
      <p>
        <strong>{t.imports.drop}</strong>
      </p>
      <FileButton isPrimary label={t.imports.choose} onFile={onFile} />
      {why !== undefined && <p class="small soft">{why}</p>}
      <p class="small soft">{t.imports.dropMore}</p>
    </section>
  );
}

interface EarlierProps {
  readonly imports: ListImportsResult;
  readonly onUndo: (one: Import) => void;
}

function Earlier({ imports, onUndo }: EarlierProps) {
  const why = writesWait();
  return (
    <section class="imports-before">
      <h2>{t.imports.earlier}</h2>
      <Ledger
        columns={[
          { name: t.imports.source },
          { name: t.imports.state },
          { name: t.imports.took, class: 'wide' },
          { name: t.more, class: 'unseen' },
        ]}
      >
        {imports.map((one) => {
          const { id, source, instance, state, createdAt, counts } = one;
          const more = [
            counts.unchanged > 0 && t.imports.unchanged(counts.unchanged),
            counts.mended > 0 && t.imports.mended(counts.mended),
            counts.skipped > 0 && t.imports.skipped(counts.skipped),
            counts.refused > 0 && t.imports.refusedCount(counts.refused),
            state === 'undone' && counts.kept > 0 && t.imports.kept(counts.kept),
          ].filter(Boolean);
          return (
            <tr key={id}>
              <td>
                <b dir="auto">{source}</b>
                <span class="soft block cut" title={instance ?? undefined}>
                  {relative(createdAt)}
                </span>
              </td>
              <td title={state === 'open' || state === 'paused' ? t.imports.goOn : undefined}>
                {t.imports.states[state]}
              </td>
              <td class="wide">
                {t.imports.holds(counts.taken + counts.renamed, newClicks(one))}
                {more.length > 0 && <span class="soft block">{more.join(', ')}</span>}
              </td>
              <td>
                <RowMenu
                  label={t.moreFor(source)}
                  items={() => [
                    { label: t.imports.report, icon: 'download', href: `/api/v1/imports/${id}/report` },
                    ...(state === 'undone' || state === 'undoing'
                      ? []
                      : [
                          undefined,
                          {
                            label: t.imports.undo,
                            icon: 'undo',
                            isDanger: true,
                            disabledReason: why,
                            onSelect: () => onUndo(one),
                          } as const,
                        ]),
                  ]}
                />
              </td>
            </tr>
          );
        })}
      </Ledger>
    </section>
  );
}

function UndoDialog({ subject, onClose }: { readonly subject: Import; readonly onClose: () => void }) {
  const isBusy = useRef(false);
  const undo = async () => {
    if (isBusy.current) return;
    isBusy.current = true;
    try {
      await api.undoImport(subject.id);
    } catch (error) {
      showFailure(error);
    }
    onClose();
  };
  return (
    <Dialog
      title={t.imports.undoTitle(subject.source)}
      width="30rem"
      onClose={onClose}
      onSubmit={() => void undo()}
      foot={
        <DialogFoot
          kind="danger"
          keys={null}
          action={t.imports.undo}
          onAction={() => void undo()}
          onCancel={onClose}
        />
      }
    >
      <p class="soft">{t.imports.undoHelp}</p>
      <p>{t.imports.holds(subject.counts.taken + subject.counts.renamed, newClicks(subject))}</p>
    </Dialog>
  );
}
