import { beforeCode, shortDestination } from '../data/links/links.ts';
import { splitByHits } from '../data/links/query.ts';

/** A text, with what a search hit in it marked. */
export function Hits({ text, search }: { readonly text: string; readonly search: string }) {
  if (search === '') return <>{text}</>;
  return (
    <>{splitByHits(text, search).map((part, at) => (at % 2 === 1 ? <mark key={at}>{part}</mark> : part))}</>
  );
}

const fromRightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/** A destination as a row shows it. Its parts stay in their order where some of them are written from right to left. */
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

/** What stands before a code where links of several domains are; phones have no room for the host. */
export function BeforeCode({ shortUrl }: { readonly shortUrl: string | undefined }) {
  const host = shortUrl === undefined ? '' : beforeCode(shortUrl).slice(0, -1);
  return <span class="soft">{host !== '' && <span class="wide-only">{host}</span>}/</span>;
}
