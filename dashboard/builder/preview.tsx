import { Fragment } from 'preact';
import { encode } from 'uqr';
import { Mark } from '../components/icon.tsx';
import { Slip } from '../components/pieces.tsx';
import { normalUrl } from '../data/links/addresses.ts';
import { sentUtm, withUtm } from '../data/links/utm.ts';
import { codeFault } from '../fields/codes.ts';
import { t as fieldTexts } from '../fields/texts.ts';
import { writeRules } from '../rules/model.ts';
import { actionText, whenText } from '../rules/words.ts';

import type { Draft } from './draft.ts';
import { t } from './texts.ts';

interface PreviewProps {
  readonly draft: Draft;
  readonly host: string;
  readonly shortBase: string;
  /** Whether the domain's codes are case-sensitive and may contain almost any character. */
  readonly isExact: boolean;
  /** Code that the server reported as unavailable. */
  readonly refusedCode: string | undefined;
}

/** Previews the short URL and the final destination, with added parameters highlighted. */
export function Preview({ draft, host, shortBase, isExact, refusedCode }: PreviewProps) {
  const code = draft.customCode.trim();
  const isRefused = code === refusedCode || codeFault(code, isExact) !== undefined;
  const url = normalUrl(draft.url);
  const rules = writeRules(draft.rules, (text) => text.trim());
  return (
    <aside class="preview" aria-label={t.builder.preview}>
      <Slip class="qr-slip">
        <div class="qr-box">
          {code === '' || isRefused ? (
            <span class="qr-none">
              <Mark size={56} />
            </span>
          ) : (
            <QrDrawing text={shortBase + code} />
          )}
        </div>
        <p class="qr-link">
          <span class="soft">{host}</span>
          <b>{code === '' ? `${draft.prefix.trim()}…` : code}</b>
        </p>
        <p class="label soft">
          {code === '' ? fieldTexts.code.empty : isRefused ? t.builder.qrNone : t.builder.qrFacts}
        </p>
      </Slip>
      {url !== undefined && (
        <div class="arrive">
          <p class="label soft">{t.builder.arriveAt}</p>
          {rules.length > 0 && (
            <dl>
              {rules.map((rule, at) => (
                <Fragment key={at}>
                  <dt>{whenText(rule.when)}</dt>
                  <dd class="mono">{actionText(rule.to)}</dd>
                </Fragment>
              ))}
              <dt>{t.builder.everyoneElse}</dt>
            </dl>
          )}
          <Arrival url={url} draft={draft} />
        </div>
      )}
    </aside>
  );
}

function Arrival({ url, draft }: { readonly url: string; readonly draft: Draft }) {
  const [before, added, hash] = withUtm(url, sentUtm(draft.utm));
  const [, scheme = '', name = '', rest = ''] = /^(https?:\/\/)([^/?#]*)(.*)$/i.exec(before) ?? [];
  return (
    <p class="mono">
      {scheme}
      <b>{name}</b>
      {rest}
      {added !== '' && <mark>{added}</mark>}
      {hash}
    </p>
  );
}

function QrDrawing({ text }: { readonly text: string }) {
  const { data, size } = encode(text, { ecc: 'M', border: 0 });
  const path = data
    .flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
    .join('');
  return (
    <svg
      class="qr-drawing"
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={t.act.qr}
      shape-rendering="crispEdges"
    >
      <path d={path} fill="#1d1b18" />
    </svg>
  );
}
