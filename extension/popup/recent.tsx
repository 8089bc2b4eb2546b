import { splitPlaceholders } from '../../dashboard/data/links/addresses.ts';
import type { ListedLink } from '../../src/client/client.ts';
import { t } from '../browser/texts.ts';
import { Copy } from '../parts/copy.tsx';

/** The account's newest links. */
export function Recent({ links }: { readonly links: readonly ListedLink[] }) {
  if (links.length === 0) return null;
  return (
    <section class="recent" aria-labelledby="recent">
      <h2 id="recent" class="label soft">
        {t('recent')}
      </h2>
      <ul>
        {links.map(({ id, shortUrl, title, destinationUrl, template }) => (
          <li key={id}>
            <div>
              <a class="plain cut" href={shortUrl} target="_blank" rel="noreferrer">
                <b>{shortUrl.replace(/^https?:\/\//, '')}</b>
              </a>
              <span class="soft small cut" dir="auto" title={destinationUrl}>
                {title ?? (template ? <Template url={destinationUrl} /> : destinationUrl)}
              </span>
            </div>
            <Copy text={shortUrl} label={t('copyOne', shortUrl)} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Shows a template with highlighted placeholders, without their braces. */
function Template({ url }: { readonly url: string }) {
  const parts = splitPlaceholders(url).map((part) => part.replace(/[{}]/g, ''));
  return (
    <>
      {parts.map((part, at) =>
        at % 2 === 0 ? (
          part
        ) : (
          <span key={at} class="placeholder">
            {part}
          </span>
        ),
      )}
    </>
  );
}
