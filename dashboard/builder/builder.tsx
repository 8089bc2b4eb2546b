import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { ApiError } from '../../src/client/client.ts';
import { copyText } from '../browser/clipboard.ts';
import { closeDialog, go, query } from '../browser/location.ts';
import { Fault } from '../components/ask.tsx';
import { Check } from '../components/choices.tsx';
import { Dialog, DialogFoot } from '../components/dialog.tsx';
import { TextField } from '../components/field.tsx';
import { MenuButton } from '../components/menu.tsx';
import { Failure } from '../components/states.tsx';
import { outage } from '../data/connection.ts';
import { domainOf } from '../data/domains.ts';
import { explain } from '../data/explain.ts';
import { normalUrl } from '../data/links/addresses.ts';
import { codeIn, findLink } from '../data/links/find.ts';
import { shortHost, type WholeLink } from '../data/links/links.ts';
import { pageOf, shortBaseAt } from '../data/links/references.ts';
import { hasUtm } from '../data/links/utm.ts';
import { shortBase } from '../data/session-state.ts';
import { tell } from '../data/undo.ts';
import { writesWait } from '../data/writes.ts';
import { CodeField } from '../fields/code-field.tsx';
import { chosenDomain, DomainField } from '../fields/domain-field.tsx';
import { Managed } from '../fields/managed.tsx';
import { plainFields } from '../fields/plain.ts';
import { t as fieldTexts } from '../fields/texts.ts';

import { asCli, asCurl } from './commands.ts';
import { Conflict } from './conflict.tsx';
import { type Draft, emptyDraft, withUrl } from './draft.ts';
import { faultsAfter, faultsBefore, partsFor } from './faults.ts';
import { keepDraft, keptDraft } from './kept.ts';
import { MoreFields, type Part, partNames } from './more-fields.tsx';
import { Preview } from './preview.tsx';
import { createLink, draftOf, type Faults, faultsIn, saveLink } from './save.ts';
import { t } from './texts.ts';

/**
 * Makes a link, or changes one: a dialog over any screen, with an address of its own.
 * @param code what the address calls the link
 */
export function Builder({ code }: { readonly code?: string }) {
  return code === undefined ? <NewLink /> : <EditLink code={code} />;
}

function NewLink() {
  const [isKept] = useState(() => keptDraft() !== undefined && !query.peek().has('url'));
  const [start] = useState(startingDraft);
  return <Form link={undefined} start={start} isKept={isKept} onReload={() => {}} />;
}

/** What the address says, over what was kept. */
function startingDraft(): Draft {
  const params = query.peek();
  const [url, code] = [params.get('url') ?? params.get('text') ?? '', params.get('code') ?? ''];
  const kept = url === '' && code === '' ? keptDraft() : undefined;
  const folder = params.get('folder');
  const domain = params.get('domain') ?? '';
  const draft = kept ?? { ...emptyDraft, domain, folderId: folder === 'none' ? null : folder };
  const coded = code === '' ? draft : { ...draft, customCode: code };
  return url === '' ? coded : { ...withUrl(coded, url), title: params.get('title') ?? coded.title };
}

function EditLink({ code }: { readonly code: string }) {
  const [link, setLink] = useState<WholeLink>();
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    findLink(code).then(setLink, setError);
  }, [code]);
  if (error !== undefined)
    return (
      <Dialog title={t.builder.editTitle(codeIn(code))} onClose={closeDialog}>
        <Failure title={t.linkFailed} error={error} />
      </Dialog>
    );
  if (link === undefined) return null;
  return <Form key={link.revision} link={link} start={draftOf(link)} isKept={false} onReload={setLink} />;
}

interface FormProps {
  readonly link: WholeLink | undefined;
  readonly start: Draft;
  readonly isKept: boolean;
  /** Begins anew with the link as it is by now. */
  readonly onReload: (link: WholeLink) => void;
}

function Form({ link, start, isKept, onReload }: FormProps) {
  const [draft, setDraft] = useState(start);
  const [faults, setFaults] = useState<Faults>({});
  const [isBusy, setBusy] = useState(false);
  /** The link as somebody else has made it meanwhile. */
  const [conflict, setConflict] = useState<WholeLink>();
  const [isAnother, setAnother] = useState(false);
  const [parts, setParts] = useState<ReadonlySet<Part>>(() => partsIn(start));
  const [opened, setOpened] = useState(partAsked);
  const [refusedCode, setRefusedCode] = useState<string>();
  const fields = useRef<HTMLDivElement>(null);
  const isRefused = useRef(false);
  useLayoutEffect(() => {
    if (!isRefused.current) return;
    isRefused.current = false;
    fields.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [faults]);
  const first = useRef<HTMLInputElement>(null);
  const isNew = link === undefined;
  const domain = isNew ? chosenDomain(draft.domain) : domainOf(new URL(link.shortUrl).hostname);
  const shortUrls = !isNew
    ? new URL('/', link.shortUrl).href
    : domain === undefined
      ? shortBase()
      : shortBaseAt(domain.host);
  const host = shortHost(shortUrls);
  const isExact = domain?.codes === 'exact';

  const change = (changes: Partial<Draft>) => {
    const next = { ...draft, ...changes };
    setDraft(next);
    setFaults(faultsAfter(faults, draft, changes));
    if (isNew) keepDraft(next);
  };
  const toggle = (part: Part) => {
    const next = new Set(parts);
    const isOpen = next.delete(part);
    if (!isOpen) next.add(part);
    setOpened(isOpen ? undefined : part);
    setParts(next);
  };
  const checkUrl = () => {
    if (draft.url.trim() !== '' && normalUrl(draft.url) === undefined)
      setFaults({ ...faults, url: fieldTexts.field.addressWrong });
  };

  /** Tells what is wrong where it is, in sight and with the focus on the first of it. */
  const refuse = (found: Faults) => {
    setFaults(found);
    setParts(new Set([...parts, ...partsFor(found)]));
    isRefused.current = true;
  };
  const isWaiting = useRef(false);
  // What waited for the server is done once it answers.
  useEffect(() => {
    if (outage.value !== undefined || !isWaiting.current) return;
    isWaiting.current = false;
    void submit();
  }, [outage.value]);
  const submit = async () => {
    if (isBusy) return;
    const why = writesWait();
    const found = why === undefined ? faultsBefore(draft, isNew, isExact) : { other: why };
    isWaiting.current = outage.peek() !== undefined;
    refuse(found);
    if (Object.keys(found).length > 0) return;
    setBusy(true);
    try {
      if (link === undefined) await createLink(draft);
      else await saveLink(conflict ?? link, start, draft);
      if (isNew) keepDraft(undefined);
      if (isAnother) {
        setDraft({ ...draft, url: '', customCode: '', title: '', password: '' });
        first.current?.focus();
      } else {
        await closeDialog();
        if (link !== undefined) followCode(link, draft.customCode.trim());
      }
    } catch (error) {
      if (link !== undefined && error instanceof ApiError && error.code === 'REVISION_MISMATCH')
        return setConflict(await findLink(link.id));
      isWaiting.current = outage.peek() !== undefined;
      const waits = isWaiting.current ? writesWait() : undefined;
      refuse(waits === undefined ? faultsIn(error, explain) : { other: waits });
    } finally {
      setBusy(false);
    }
  };

  return (
    <Dialog
      title={isNew ? t.builder.title : t.builder.editTitle(link.shortCode)}
      aside={isKept ? t.builder.draft : undefined}
      width="60rem"
      class="builder"
      onClose={() => void closeDialog()}
      onSubmit={() => void submit()}
      shortcuts={{
        u: () => toggle('utm'),
        e: () => toggle('expiry'),
        d: () => toggle('description'),
        r: () => toggle('rules'),
      }}
      tools={isNew ? <CommandMenu draft={draft} /> : undefined}
      foot={
        <DialogFoot
          action={isNew ? t.builder.create : t.builder.saveChanges}
          isBusy={isBusy}
          disabledReason={writesWait()}
          onAction={() => void submit()}
          onCancel={() => void closeDialog()}
        >
          {isNew && (
            <Check isOn={isAnother} onChange={setAnother}>
              {t.builder.another}
            </Check>
          )}
        </DialogFoot>
      }
    >
      <div class="builder-columns">
        <div class="builder-fields" ref={fields}>
          <Fault text={faults.other} />
          {link !== undefined && <Managed links={[link]} />}
          {conflict !== undefined && (
            <Conflict
              start={start}
              draft={draft}
              now={conflict}
              isBusy={isBusy}
              onSave={() => void submit()}
              onDrop={() => onReload(conflict)}
            />
          )}
          <TextField
            label={t.builder.destination}
            size="large"
            value={draft.url}
            placeholder={fieldTexts.field.addressHint}
            onInput={(url) => change({ url })}
            onLeave={checkUrl}
            error={faults.url}
            help={
              link !== undefined && draft.url !== start.url
                ? fieldTexts.field.repoint(link.destinationUrl)
                : undefined
            }
            input={{
              type: 'url',
              inputMode: 'url',
              autofocus: true,
              maxLength: 8_192,
              ref: first,
              onPaste: (event) => {
                const text = event.clipboardData?.getData('text/plain') ?? '';
                const isWhole = event.currentTarget.value.length === selectedLength(event.currentTarget);
                if (!isWhole || normalUrl(text) === undefined) return;
                event.preventDefault();
                const next = withUrl(draft, text);
                change(next);
                if (hasUtm(next.utm)) setParts(new Set([...parts, 'utm']));
              },
            }}
          />
          {isNew && (
            <DomainField
              value={domain?.host}
              onChange={(host) => change({ domain: host })}
              error={faults.domain}
            />
          )}
          <CodeField
            domain={domain}
            code={draft.customCode}
            own={link?.shortCode}
            url={draft.url}
            host={host}
            refusal={faults.customCode}
            onChange={(customCode) => change({ customCode })}
            onRefused={setRefusedCode}
          />
          <TextField
            label={t.builder.name}
            isOptional
            value={draft.title}
            placeholder={t.builder.nameHint}
            onInput={(title) => change({ title })}
            error={faults.title}
            input={{ maxLength: 255, dir: 'auto' }}
          />
          <MoreFields
            linkId={link?.id}
            host={host}
            draft={draft}
            start={start}
            faults={faults}
            parts={parts}
            opened={opened}
            onToggle={toggle}
            onChange={change}
          />
        </div>
        <Preview
          isExact={isExact}
          draft={draft}
          host={host}
          shortBase={shortUrls}
          refusedCode={refusedCode}
        />
      </div>
    </Dialog>
  );
}

/** The page of a link is at the address of its code. */
function followCode(link: WholeLink, now: string): void {
  if (now !== '' && now !== link.shortCode && location.pathname === pageOf(link))
    go(pageOf({ ...link, shortCode: now }), { replace: true });
}

function selectedLength({ selectionStart, selectionEnd }: HTMLInputElement): number {
  return (selectionEnd ?? 0) - (selectionStart ?? 0);
}

/** The part that the address asks for. */
function partAsked(): Part | undefined {
  const parts = [...partNames, ...plainFields().map(({ name }) => name)];
  return parts.find((part) => part === query.peek().get('part'));
}

/** What is open at first: what has something in it, and what the address names. */
function partsIn({ utm, plain, rules }: Draft): ReadonlySet<Part> {
  const ofTable = plainFields().map(({ name }) => name);
  const named = partAsked();
  return new Set([
    ...(hasUtm(utm) ? (['utm'] as const) : []),
    ...ofTable.filter((name) => (plain[name] ?? '') !== ''),
    ...(rules.length === 0 ? [] : (['rules'] as const)),
    ...(named === undefined ? [] : [named]),
  ]);
}

/** The same by program: what is in the form, as a command. */
function CommandMenu({ draft }: { readonly draft: Draft }) {
  const copy = async (text: string) => {
    if (await copyText(text)) tell(t.commandCopied);
  };
  return (
    <MenuButton
      kind="quiet"
      size="small"
      icon="terminal"
      menuLabel={t.builder.curl}
      align="end"
      items={() => [
        { label: t.builder.curl, onSelect: () => void copy(asCurl(draft, location.origin)) },
        { label: t.builder.cli, onSelect: () => void copy(asCli(draft, location.origin)) },
      ]}
    >
      {t.builder.commands}
    </MenuButton>
  );
}
