import type { ComponentChildren } from 'preact';
import { number } from '../texts/format.ts';
import { t } from '../texts/texts.ts';

export type LinkState = 'active' | 'soon' | 'expired' | 'scheduled' | 'disabled' | 'exhausted' | 'failing';

/** Shows a link's status as shape and text, never by color alone. */
export function StatusDot({ state }: { readonly state: LinkState }) {
  return <span class={`dot ${state}`} role="img" aria-label={t.states[state]} title={t.states[state]} />;
}

/** Card with a folded corner, for content to copy or download, such as a link, a QR code or a key. */
export function Slip({ children, class: name = '' }: { children: ComponentChildren; class?: string }) {
  return <div class={`slip ${name}`}>{children}</div>;
}

/** Shows at most two tags and the number of remaining tags. The tooltip contains all tags. */
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
