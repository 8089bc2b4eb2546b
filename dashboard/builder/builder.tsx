import type { RefObject, TargetedClipboardEvent } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { copyText } from '../browser/clipboard.ts';
import { closeDialog, go, query, serverUrl } from '../browser/location.ts';
import { Fault } from '../components/ask.tsx';
import { Check } from '../components/choices.tsx';
import { Dialog, DialogFoot } from '../components/dialog.tsx';
import { TextField } from '../components/field.tsx';
import { MenuButton } from '../components/menu.tsx';
import { Failure } from '../components/states.tsx';
import { domainOf } from '../data/domains.ts';
import { normalUrl } from '../data/links/addresses.ts';
import { codeIn, findLink } from '../data/links/find.ts';
import { type FullLink, shortHost } from '../data/links/links.ts';
import { pageOf, shortBaseAt } from '../data/links/references.ts';
import { hasUtm } from '../data/links/utm.ts';
import { shortBase } from '../data/session-state.ts';
import { notify } from '../data/undo.ts';
import { writesWait } from '../data/writes.ts';
import { CodeField } from '../fields/code-field.tsx';
import { chosenDomain, DomainField } from '../fields/domain-field.tsx';
import { Managed } from '../fields/managed.tsx';
import { t as fieldTexts } from '../fields/texts.ts';

import { asCli, asCurl } from './commands.ts';
import { Conflict } from './conflict.tsx';
import { type Draft, emptyDraft, withUrl } from './draft.ts';
import { type Fields, useFields, useSubmit } from './form.ts';
import { MoreFields } from './more-fields.tsx';
import { Preview } from './preview.tsx';
import { draftOf } from './save.ts';
import { readDraft, storeDraft } from './stored-draft.ts';
import { t } from './texts.ts';

/**
 * Dialog that creates or edits a link. It opens from a URL parameter on top of any screen.
 * @param code reference to the link, from the URL
 */
export function Builder({ code }: { readonly code?: string }) {
  return code === undefined ? <NewLink /> : <EditLink code={code} />;
}

function NewLink() {
  const [isKept] = useState(() => readDraft() !== undefined && !query.peek().has('url'));
  const [start] = useState(startingDraft);
  return <Form link={undefined} start={start} isKept={isKept} onReload={() => {}} />;
}

/** Returns the initial draft, from the URL's parameters or else the stored draft. */
function startingDraft(): Draft {
  const params = query.peek();
  const [url, code] = [params.get('url') ?? params.get('text') ?? '', params.get('code') ?? ''];
  const kept = url === '' && code === '' ? readDraft() : undefined;
  const folder = params.get('folder');
  const domain = params.get('domain') ?? '';
  const draft = kept ?? { ...emptyDraft, domain, folderId: folder === 'none' ? null : folder };
  const coded = code === '' ? draft : { ...draft, customCode: code };
  return url === '' ? coded : { ...withUrl(coded, url), title: params.get('title') ?? coded.title };
}

function EditLink({ code }: { readonly code: string }) {
  const [link, setLink] = useState<FullLink>();
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
  readonly link: FullLink | undefined;
  readonly start: Draft;
  readonly isKept: boolean;
  /** Resets the form to the link's current state. */
  readonly onReload: (link: FullLink) => void;
}

function Form({ link, start, isKept, onReload }: FormProps) {
  const isNew = link === undefined;
  const fields = useFields(start, isNew);
  const { draft, toggle } = fields;
  const [isAnother, setAnother] = useState(false);
  const [refusedCode, setRefusedCode] = useState<string>();
  const first = useRef<HTMLInputElement>(null);
  const shortDomain = shortDomainOf(link, draft);
  const saved = async () => {
    if (isNew) storeDraft(undefined);
    if (isAnother) {
      fields.setDraft({ ...draft, url: '', customCode: '', title: '', password: '' });
      first.current?.focus();
    } else {
      await closeDialog();
      if (link !== undefined) followCode(link, draft.customCode.trim());
    }
  };
  const { isBusy, conflict, submit } = useSubmit({
    link,
    start,
    fields,
    isExact: shortDomain.isExact,
    onSaved: saved,
  });
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
        <div class="builder-fields" ref={fields.box}>
          <Fault text={fields.faults.other} />
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
          <MainFields
            link={link}
            start={start}
            fields={fields}
            shortDomain={shortDomain}
            input={first}
            onRefused={setRefusedCode}
          />
          <MoreFields linkId={link?.id} host={shortDomain.host} start={start} fields={fields} />
        </div>
        <Preview {...shortDomain} draft={draft} refusedCode={refusedCode} />
      </div>
    </Dialog>
  );
}

/** Returns the link's domain and the base of its short URL. */
function shortDomainOf(link: FullLink | undefined, draft: Draft) {
  const domain = link === undefined ? chosenDomain(draft.domain) : domainOf(new URL(link.shortUrl).hostname);
  const ofDomain = domain === undefined ? shortBase() : shortBaseAt(domain.host);
  const base = link === undefined ? ofDomain : new URL('/', link.shortUrl).href;
  return { domain, isExact: domain?.codes === 'exact', shortBase: base, host: shortHost(base) };
}

interface DestinationProps {
  readonly link: FullLink | undefined;
  readonly start: Draft;
  readonly fields: Fields;
  readonly input: RefObject<HTMLInputElement | null>;
}

interface MainFieldsProps extends DestinationProps {
  readonly shortDomain: ReturnType<typeof shortDomainOf>;
  readonly onRefused: (code: string | undefined) => void;
}

/** Fields that every link has: destination, code and title. */
function MainFields({ link, start, fields, shortDomain, input, onRefused }: MainFieldsProps) {
  const { draft, faults, change } = fields;
  const { domain, host } = shortDomain;
  return (
    <>
      <DestinationField link={link} start={start} fields={fields} input={input} />
      {link === undefined && (
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
        onRefused={onRefused}
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
    </>
  );
}

/** Destination field. Pasting a URL over the entire value also fills the UTM fields. */
function DestinationField({ link, start, fields, input }: DestinationProps) {
  const { draft, change } = fields;
  const paste = (event: TargetedClipboardEvent<HTMLInputElement>) => {
    const text = event.clipboardData?.getData('text/plain') ?? '';
    const replacesAll = event.currentTarget.value.length === selectedLength(event.currentTarget);
    if (!replacesAll || normalUrl(text) === undefined) return;
    event.preventDefault();
    const next = withUrl(draft, text);
    change(next);
    if (hasUtm(next.utm)) fields.open(['utm']);
  };
  return (
    <TextField
      label={t.builder.destination}
      size="large"
      value={draft.url}
      placeholder={fieldTexts.field.addressHint}
      onInput={(url) => change({ url })}
      onLeave={fields.checkUrl}
      error={fields.faults.url}
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
        ref: input,
        onPaste: paste,
      }}
    />
  );
}

/** Updates the browser's URL if this link's page is open, because that URL contains the code. */
function followCode(link: FullLink, now: string): void {
  if (now !== '' && now !== link.shortCode && location.pathname === pageOf(link))
    go(pageOf({ ...link, shortCode: now }), { replace: true });
}

function selectedLength({ selectionStart, selectionEnd }: HTMLInputElement): number {
  return (selectionEnd ?? 0) - (selectionStart ?? 0);
}

/** Menu that copies the form as an API request or CLI command. */
function CommandMenu({ draft }: { readonly draft: Draft }) {
  const copy = async (text: string) => {
    if (await copyText(text)) notify(t.commandCopied);
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
        { label: t.builder.cli, onSelect: () => void copy(asCli(draft, serverUrl)) },
      ]}
    >
      {t.builder.commands}
    </MenuButton>
  );
}
