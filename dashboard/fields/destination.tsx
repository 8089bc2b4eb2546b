import { splitPlaceholders } from '../data/links/addresses.ts';
import { beforeCode, type Link, shortDestination } from '../data/links/links.ts';
import { splitByHits } from '../data/links/query.ts';

/** Text with highlighted search matches. */
export function Hits({ text, search }: { readonly text: string; readonly search: string }) {
  if (search === '') return <>{text}</>;
  return (
    <>{splitByHits(text, search).map((part, at) => (at % 2 === 1 ? <mark key={at}>{part}</mark> : part))}</>
  );
}

const fromRightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

interface DestinationTextProps {
  readonly text: string;
  readonly isTemplate: boolean | undefined;
  readonly search?: string;
}

/**
 * Part of a destination. Placeholders in a template are shown as chips. The braces are invisible, but screen readers
 * read them, and copied text includes them.
 */
export function DestinationText({ text, isTemplate, search = '' }: DestinationTextProps) {
  if (!isTemplate) return <Hits text={text} search={search} />;
  return (
    <>
      {splitPlaceholders(text).map((part, at) =>
        at % 2 === 0 ? (
          <Hits key={at} text={part} search={search} />
        ) : (
          <span key={at} class="placeholder">
            <i>{'{'}</i>
            <DestinationText text={part.slice(1, -1)} isTemplate search={search} />
            <i>{'}'}</i>
          </span>
        ),
      )}
    </>
  );
}

interface DestinationProps {
  readonly link: Pick<Link, 'destinationUrl' | 'template'>;
  readonly search?: string;
}

/** Destination in a table row. Isolates its parts, so that right-to-left text does not reorder them. */
export function Destination({ link: { destinationUrl, template }, search = '' }: DestinationProps) {
  const short = shortDestination(destinationUrl);
  const parts = fromRightToLeft.test(short) ? short.split(/(?<=[/?#&=])/) : [short];
  return (
    <>
      {parts.map((part, at) => (
        <bdi key={at}>
          <DestinationText text={part} isTemplate={template} search={search} />
        </bdi>
      ))}
    </>
  );
}

/** Host before a code, shown if there are several domains. Hidden on phones. */
export function BeforeCode({ shortUrl }: { readonly shortUrl: string | undefined }) {
  const host = shortUrl === undefined ? '' : beforeCode(shortUrl).slice(0, -1);
  return <span class="soft">{host !== '' && <span class="wide-only">{host}</span>}/</span>;
}
