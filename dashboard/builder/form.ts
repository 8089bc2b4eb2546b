import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { ApiError } from '../../src/client/client.ts';
import { outage } from '../data/connection.ts';
import { explain } from '../data/explain.ts';
import { normalUrl } from '../data/links/addresses.ts';
import { findLink } from '../data/links/find.ts';
import type { FullLink } from '../data/links/links.ts';
import { writesWait } from '../data/writes.ts';
import { t as fieldTexts } from '../fields/texts.ts';
import type { Draft } from './draft.ts';
import { faultsAfter, faultsBefore, partsFor } from './faults.ts';
import { type Part, partsIn, requestedPart } from './parts.ts';
import { createLink, type Faults, faultsIn, saveLink } from './save.ts';
import { storeDraft } from './stored-draft.ts';

export type Fields = ReturnType<typeof useFields>;

/** State of the form: the draft, its errors, and the open sections. */
export function useFields(start: Draft, isNew: boolean) {
  const [draft, setDraft] = useState(start);
  const [faults, setFaults] = useState<Faults>({});
  const [parts, setParts] = useState<ReadonlySet<Part>>(() => partsIn(start));
  /** Most recently opened section. It is scrolled into view and focused. */
  const [opened, setOpened] = useState(requestedPart);
  const box = useRef<HTMLDivElement>(null);
  const isRefused = useRef(false);
  useLayoutEffect(() => {
    if (!isRefused.current) return;
    isRefused.current = false;
    box.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [faults]);

  const change = (changes: Partial<Draft>) => {
    const next = { ...draft, ...changes };
    setDraft(next);
    setFaults(faultsAfter(faults, draft, changes));
    if (isNew) storeDraft(next);
  };
  const checkUrl = () => {
    if (draft.url.trim() !== '' && normalUrl(draft.url) === undefined)
      setFaults({ ...faults, url: fieldTexts.field.addressWrong });
  };
  const open = (more: Iterable<Part>) => setParts(new Set([...parts, ...more]));
  const toggle = (part: Part) => {
    const next = new Set(parts);
    const isOpen = next.delete(part);
    if (!isOpen) next.add(part);
    setOpened(isOpen ? undefined : part);
    setParts(next);
  };
  /** Shows errors next to their fields, and focuses the first invalid field. */
  const refuse = (found: Faults) => {
    setFaults(found);
    open(partsFor(found));
    isRefused.current = true;
  };
  return { box, draft, setDraft, faults, parts, opened, change, checkUrl, open, toggle, refuse };
}

interface Submitted {
  /** Undefined for a new link. */
  readonly link: FullLink | undefined;
  readonly start: Draft;
  readonly fields: Fields;
  /** Whether the domain's codes are case-sensitive. */
  readonly isExact: boolean;
  readonly onSaved: () => Promise<void>;
}

/**
 * Returns the function that creates or updates the link, and the state of its request. If the server is unreachable,
 * the request is sent once the server responds.
 */
export function useSubmit({ link, start, fields, isExact, onSaved }: Submitted) {
  const { draft, refuse } = fields;
  const [isBusy, setBusy] = useState(false);
  /** The link's current version, if another member changed the link while it was being edited. */
  const [conflict, setConflict] = useState<FullLink>();
  const isWaiting = useRef(false);
  useEffect(() => {
    if (outage.value !== undefined || !isWaiting.current) return;
    isWaiting.current = false;
    void submit();
  }, [outage.value]);

  const submit = async () => {
    if (isBusy) return;
    const why = writesWait();
    const found = why === undefined ? faultsBefore(draft, link === undefined, isExact) : { other: why };
    isWaiting.current = outage.peek() !== undefined;
    refuse(found);
    if (Object.keys(found).length > 0) return;
    setBusy(true);
    try {
      if (link === undefined) await createLink(draft);
      else await saveLink(conflict ?? link, start, draft);
      await onSaved();
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
  return { isBusy, conflict, submit };
}
