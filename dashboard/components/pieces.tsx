import type { ComponentChildren } from 'preact';
import { number } from '../texts/format.ts';
import { t } from '../texts/texts.ts';

export type LinkState = 'active' | 'soon' | 'expired' | 'scheduled' | 'disabled' | 'exhausted' | 'failing';

/** Status of a link as shape and text, never by colour alone. */
export function StatusDot({ state }: { readonly state: LinkState }) {
  return <span class={`dot ${state}`} role="img" aria-label={t.states[state]} title={t.states[state]} />;
}

/** A card with a folded corner for something to copy or download: a link, a QR code, a key. */
export function Slip({ children, class: name = '' }: { children: ComponentChildren; class?: string }) {
  return <div class={`slip ${name}`}>{children}</div>;
}

/** At most two tags, then the number of further ones; all are in the tooltip. */
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

/** Banner about the whole page, such as a lost connection. */
export function Banner({ children }: { readonly children: ComponentChildren }) {
  return (
    <div class="banner" role="status">
      {children}
    </div>
  );
}
