import { useEffect, useState } from 'preact/hooks';
import { LinkfoldError } from '../../src/client/errors.ts';
import { TextField } from '../components/field.tsx';
import { Icon } from '../components/icon.tsx';
import type { Domain } from '../data/domains.ts';
import { explain } from '../data/explain.ts';
import { type Availability, askCode, freeOf } from '../data/links/availability.ts';
import { isSharedHost, pageAt } from '../data/links/references.ts';
import { type CodeFault, codeFault, drawCode, suggestCodes } from './codes.ts';
import { t } from './texts.ts';

interface CodeFieldProps {
  readonly code: string;
  readonly url: string;
  /** Host shown before the code. */
  readonly host: string;
  /** The code's domain. Undefined while unknown. */
  readonly domain: Pick<Domain, 'host' | 'codes'> | undefined;
  /** Error message from the server. */
  readonly refusal: string | undefined;
  /** Current code, for an existing link. */
  readonly own?: string | undefined;
  readonly onChange: (code: string) => void;
  /** Called with an unavailable code, or with undefined once the code is available. */
  readonly onRefused?: (code: string | undefined) => void;
}

const waitMs = 250;

interface Known {
  readonly code: string;
  readonly on: string | undefined;
  readonly is?: Availability;
  readonly why?: string;
}

/** Runs `act` for the typed text once the user stops typing. */
function useLater(waitMs: number, act: ((signal: AbortSignal) => void) | undefined, of: readonly unknown[]) {
  useEffect(() => {
    if (act === undefined) return undefined;
    const controller = new AbortController();
    const timer = setTimeout(() => act(controller.signal), waitMs);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, of);
}

/** Field for a link's code. Checks availability while the user types, and suggests three available codes. */
export function CodeField(props: CodeFieldProps) {
  const { code, url, host, domain, refusal, own, onChange, onRefused } = props;
  const isExact = domain?.codes === 'exact';
  const on = domain?.host;
  const [known, setKnown] = useState<Known>();
  const [proposals, setProposals] = useState<readonly string[]>([]);
  const given = code.trim();
  const isOwn = given === own;
  const fault = isOwn ? undefined : codeFault(code, isExact);

  const ask = (signal: AbortSignal) => {
    askCode(given, on, signal).then(
      ({ is }) => {
        setKnown({ code: given, is, on });
        onRefused?.(is === 'free' ? undefined : given);
      },
      // Ignore other errors here, because they are shown when the user creates the link.
      (error) =>
        error.code === 'INVALID_CUSTOM_CODE' && setKnown({ code: given, why: whyRefused(error, given), on }),
    );
  };
  const isAsked = given !== '' && !isOwn && fault === undefined;
  useLater(waitMs, isAsked ? ask : undefined, [given, fault?.kind, on]);
  const propose = (signal: AbortSignal) => {
    const proposed = suggestCodes(url, given, new Date().getFullYear());
    freeOf(proposed, 3, on, signal).then(setProposals, () => {});
  };
  const answer = known?.code === given && known.on === on ? known : undefined;
  const is = given !== '' && fault === undefined ? answer?.is : undefined;
  const isRefused = is !== undefined && is !== 'free';
  const proposes = !isOwn && (given === '' || isRefused);
  useLater(waitMs, proposes ? propose : undefined, [url, given, on, proposes]);
  return (
    <div class="code-field">
      <TextField
        label={t.code.label}
        size="large"
        prefix={host}
        value={code}
        onInput={onChange}
        error={errorFor(fault, is, given, on) ?? answer?.why ?? refusal}
        state={
          <>
            <State is={is} fault={fault} />
            <button
              type="button"
              class="draw"
              aria-label={t.code.draw}
              title={t.code.draw}
              onClick={() => onChange(drawCode((max) => Math.floor(Math.random() * max)))}
            >
              <Icon name="refresh" />
            </button>
          </>
        }
        help={helpFor(given, own)}
        input={{ maxLength: isExact ? 190 : 120, autocapitalize: 'off', id: 'builder-code' }}
      />
      {proposals.length > 0 && proposes && (
        <p class="proposals">
          <span>{given === '' ? t.code.proposed : t.code.alsoFree}</span>
          {proposals.map((proposal) => (
            <button key={proposal} type="button" class="tag" onClick={() => onChange(proposal)}>
              {proposal}
            </button>
          ))}
        </p>
      )}
    </div>
  );
}

/**
 * Returns the help text below the field: for a new link, what an empty code means; for an existing link, the effect of
 * a new code.
 */
function helpFor(given: string, own: string | undefined): string | undefined {
  if (own === undefined) return given === '' ? t.code.without : undefined;
  return given === own ? undefined : t.code.moves(own);
}

function State({ is, fault }: { is: Availability | undefined; fault: CodeFault | undefined }) {
  if (is === 'free')
    return (
      <span class="state good" role="status">
        <Icon name="check" />
        {t.code.free}
      </span>
    );
  if (is === undefined && (fault === undefined || fault.kind === 'short')) return null;
  return (
    <span class="state bad">
      <Icon name="alert" />
      {is === 'reserved' ? t.code.reserved : is === undefined ? '' : t.code.taken}
    </span>
  );
}

export function errorFor(
  fault: CodeFault | undefined,
  is: Availability | undefined,
  code: string,
  host: string | undefined,
) {
  if (fault !== undefined) return faultText(fault);
  if (is === 'reserved') return t.code.reservedWhy;
  if (is === 'taken') return t.code.takenElse;
  if (is !== 'yours') return undefined;
  return (
    <>
      {t.code.takenByYou}{' '}
      <a href={pageAt(host === undefined || isSharedHost(host) ? code : `${host}/${code}`)}>
        {t.code.openIt}
      </a>
    </>
  );
}

/** Describes why the server rejects a code. For slashes, the message is more specific than the general message. */
export function whyRefused(error: unknown, code: string): string {
  const isInvalid = error instanceof LinkfoldError && error.code === 'INVALID_CUSTOM_CODE';
  return isInvalid && /^[ -~]*\/[ -~]*$/.test(code) ? t.code.segments : explain(error);
}

/** Returns the message for an error. Returns undefined if the code is too short, because the user is still typing. */
function faultText(fault: CodeFault): string | undefined {
  switch (fault.kind) {
    case 'space':
      return t.code.space;
    case 'start':
      return t.code.start;
    case 'slash':
      return t.code.slash;
    case 'long':
      return t.code.long;
    case 'longest':
      return t.code.longest;
    case 'short':
      return undefined;
    case 'character':
      return t.code.character(fault.character);
  }
}
