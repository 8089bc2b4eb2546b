import { beforeCode, shortDestination } from '../data/links/links.ts';
import { splitByHits } from '../data/links/query.ts';

/** Text with highlighted search matches. */
export function Hits({ text, search }: { readonly text: string; readonly search: string }) {
  if (search === '') return <>{text}</>;
  return (
    <>{splitByHits(text, search).map((part, at) => (at % 2 === 1 ? <mark key={at}>{part}</mark> : part))}</>
  );
}

const fromRightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/** Destination in a row. Isolates its parts, so that right-to-left text does not reorder them. */
export function Destination({ url, search = '' }: { readonly url: string; readonly search?: string }) {
  const short = shortDestination(url);
  const parts = fromRightToLeft.test(short) ? short.split(/(?<=[/?#&=])/) : [short];
  return (
    <>
      {parts.map((part, at) => (
        <bdi key={at}>
          <Hits text={part} search={search} />
        </bdi>
      ))}
    </>
  );
}

/** Prefix of a code if links are on several domains; hidden on phones. */
export function BeforeCode({ shortUrl }: { readonly shortUrl: string | undefined }) {
  const host = shortUrl === undefined ? '' : beforeCode(shortUrl).slice(0, -1);
  return <span class="soft">{host !== '' && <span class="wide-only">{host}</span>}/</span>;
}
