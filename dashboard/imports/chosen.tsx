import { useEffect, useRef, useState } from 'preact/hooks';
import type { GetImportResult } from '../../src/client/client.ts';
import { Fault } from '../components/ask.tsx';
import { Button } from '../components/button.tsx';
import { ChoiceField } from '../components/choices.tsx';
import { Field } from '../components/field.tsx';
import { Icon } from '../components/icon.tsx';
import { Select } from '../components/select.tsx';
import { api } from '../data/client.ts';
import { domainOf, usableDomains } from '../data/domains.ts';
import { explain } from '../data/explain.ts';
import { me } from '../data/session-state.ts';
import { notify } from '../data/undo.ts';
import { longDate } from '../texts/format.ts';
import { batchesOf, type FileContent, inspectFile, newClicks } from './file.ts';
import { Problems } from './problems.tsx';
import { Progress } from './progress.tsx';
import { t } from './texts.ts';

interface ChosenProps {
  readonly file: File;
  /** For each line in the converted file, its source line in the original table. */
  readonly places?: readonly string[] | undefined;
  readonly onEnd: () => void;
  /** Returns to the column mapping. */
  readonly onBack?: (() => void) | undefined;
}

const policies = ['skip', 'rename', 'overwrite'] as const;
type Policy = (typeof policies)[number];

/** Loads a file's summary and tracks the progress of its import. The import pauses when the user leaves the page. */
function useImport(file: File, onEnd: () => void) {
  const [found, setFound] = useState<FileContent | 'none'>();
  const [share, setShare] = useState(0);
  const [current, setCurrent] = useState<GetImportResult>();
  const [fault, setFault] = useState<string>();
  const isPaused = useRef(false);
  const pause = () => {
    isPaused.current = true;
  };
  useEffect(() => {
    inspectFile(file, setShare).then(
      (seen) => setFound(seen ?? 'none'),
      () => setFound('none'),
    );
    return pause;
  }, [file]);

  const send = async (onConflict: Policy, domain: string | null) => {
    if (found === undefined || found === 'none') return;
    isPaused.current = false;
    setFault(undefined);
    setShare(0);
    try {
      let one: GetImportResult = await api.createImport({ ...found.head, onConflict, domain });
      if (one.state === 'paused') one = await api.updateImport(one.id, { state: 'open' });
      setCurrent(one);
      for await (const { share: sent, ...batch } of batchesOf(file, one.position)) {
        if (isPaused.current) {
          setCurrent(await api.updateImport(one.id, { state: 'paused' }));
          return;
        }
        one = await api.addImportLines(one.id, batch);
        setShare(sent);
        setCurrent(one);
      }
      const { taken, renamed } = one.counts;
      notify(t.imports.done(taken + renamed, newClicks(one)));
      onEnd();
    } catch (error) {
      setFault(explain(error));
    }
  };
  return { found, share, current, fault, send, pause };
}

/** Selected file with its contents, a preview of the import, and the import's progress. */
export function ChosenFile({ file, places, onEnd, onBack }: ChosenProps) {
  const [policy, setPolicy] = useState<Policy>('skip');
  const [others, setOthers] = useState('');
  const { found, share, current, fault, send, pause } = useImport(file, onEnd);
  if (found === 'none')
    return (
      <section class="import-file">
        <Fault text={t.imports.none} />
        <div class="ways">
          <Button onClick={onEnd}>{t.imports.cancel}</Button>
        </div>
      </section>
    );
  const isRunning = current?.state === 'open' && fault === undefined;
  return (
    <section class="import-file" aria-busy={found === undefined || isRunning}>
      <h2>{found === undefined ? t.imports.looking : t.imports.holds(found.links, found.clicks)}</h2>
      {found === undefined ? (
        <Progress share={share} label={file.name} />
      ) : (
        <p class="soft">
          {places === undefined
            ? t.imports.from(found.head.instance ?? found.head.source, longDate(found.head.readAt))
            : file.name}
        </p>
      )}
      {found !== undefined && current === undefined && (
        <>
          <Checked found={found} others={others} />
          <Problems file={file} places={places} domain={others || null} links={found.links} />
          <div class="choices">
            <ChoiceField
              label={t.imports.conflict}
              values={policies}
              names={t.imports.conflicts}
              value={policy}
              onChange={setPolicy}
              help={t.imports.conflictHelp[policy]}
            />
            {found.hosts.some(({ host }) => host !== null && domainOf(host) === undefined) && (
              <Others value={others} onChange={setOthers} />
            )}
          </div>
        </>
      )}
      {current !== undefined && (
        <Progress
          share={share}
          label={t.imports.importing(Math.floor(share * (found?.links ?? 0)), found?.links ?? 0)}
        />
      )}
      <Fault text={fault} />
      <div class="ways">
        {isRunning ? (
          <Button onClick={pause}>{t.imports.pause}</Button>
        ) : (
          <>
            <Button
              kind="primary"
              disabledReason={
                found === undefined ? t.imports.looking : found.isWhole ? undefined : t.imports.cut
              }
              onClick={() => void send(policy, others === '' ? null : others)}
            >
              {current === undefined ? t.imports.start(found?.links ?? 0) : t.imports.resume}
            </Button>
            {onBack !== undefined && current === undefined && (
              <Button onClick={onBack}>{t.imports.back}</Button>
            )}
            <Button kind="quiet" onClick={onEnd}>
              {t.imports.cancel}
            </Button>
          </>
        )}
      </div>
    </section>
  );
}

function Others({ value, onChange }: { readonly value: string; readonly onChange: (host: string) => void }) {
  return (
    <Field id="import-others" label={t.imports.others}>
      <Select
        id="import-others"
        value={value}
        options={[
          { value: '', label: t.imports.othersRefused },
          ...usableDomains.value.map(({ host, hostUnicode }) => ({ value: host, label: hostUnicode })),
        ]}
        onChange={onChange}
      />
    </Field>
  );
}

/** Preview of the links to import, grouped by host, with any problems. */
function Checked({ found, others }: { readonly found: FileContent; readonly others: string }) {
  const { value } = me;
  const room =
    value === undefined || value.limits.links === null
      ? Number.POSITIVE_INFINITY
      : value.limits.links - value.usage.links;
  const beyond = Math.max(0, found.links - room);
  const goesTo = (host: string | null): string | undefined => {
    if (host === null) return t.imports.toDefault;
    const here = domainOf(host)?.hostUnicode ?? (others === '' ? undefined : others);
    return here === undefined ? undefined : t.imports.toDomain(here);
  };
  const warnings = [!found.isWhole && t.imports.cut, beyond > 0 && t.imports.beyond(beyond)].filter(
    (one) => one !== false,
  );
  return (
    <>
      {warnings.map((text) => (
        <p key={text} class="warning">
          <Icon name="warning" />
          {text}
        </p>
      ))}
      <ul class="import-hosts">
        {found.hosts.map(({ host, links, alike }) => {
          const goes = goesTo(host);
          const isExact = host !== null && domainOf(host)?.codes === 'exact';
          return (
            <li key={host}>
              <b class="cut">{host ?? t.imports.noHost}</b>
              <span class="soft">{t.imports.linksOf(links)}</span>
              <span class={goes === undefined ? 'bad' : ''}>
                <Icon name={goes === undefined ? 'warning' : 'check'} />
                {goes ?? t.imports.refused}
              </span>
              {alike > 0 && !isExact && <p class="warning">{t.imports.alike(alike)}</p>}
            </li>
          );
        })}
      </ul>
      {found.unusedColumns.length > 0 && (
        <p class="small soft">{t.imports.unusedColumns(found.unusedColumns.join(', '))}</p>
      )}
      {found.lost.length > 0 && (
        <p class="small soft">
          {t.imports.lostTitle}: {found.lost.map(([what, links]) => t.imports.lost(what, links)).join(', ')}
        </p>
      )}
    </>
  );
}
