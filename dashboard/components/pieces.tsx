import type { ComponentChildren } from 'preact';
import { number } from '../texts/format.ts';
import { t } from '../texts/texts.ts';

export type LinkState = 'active' | 'soon' | 'expired' | 'scheduled' | 'disabled' | 'exhausted' | 'failing';

/** The state of a link by its shape and in words, never by colour alone. */
export function StatusDot({ state }: { readonly state: LinkState }) {
  return <span class={`dot ${state}`} role="img" aria-label={t.states[state]} title={t.states[state]} />;
}

/** White paper with a folded ear, for what is taken away: a link, a QR code, a key. */
export function Slip({ children, class: name = '' }: { children: ComponentChildren; class?: string }) {
  return <div class={`slip ${name}`}>{children}</div>;
}

/** At most two tags, then how many more; all of them in the tooltip. */
export function Tags({
  names,
  href,
}: {
  readonly names: readonly string[];
  href?: (name: string) => string;
}) {
  const more = names.length - 2;
  return (
    <>
      {names.slice(0, 2).map((name) =>
        href === undefined ? (
          <span key={name} class="tag" dir="auto" title={name}>
            {name}
          </span>
        ) : (
          <a key={name} class="tag" dir="auto" href={href(name)} title={name}>
            {name}
          </a>
        ),
      )}
      {more > 0 && (
        <span class="small soft" title={names.join(', ')}>
          +{number(more)}
        </span>
      )}
    </>
  );
}

/** A line across the page for what concerns all of it: no connection, the session ends. */
export function Banner({ children }: { readonly children: ComponentChildren }) {
  return (
    <div class="banner" role="status">
      {children}
    </div>
  );
}
