import { useEffect, useState } from 'preact/hooks';
import type { SimulateResult } from '../../src/client/client.ts';
import { Button } from '../components/button.tsx';
import { TextField } from '../components/field.tsx';
import { api } from '../data/client.ts';
import { explain } from '../data/explain.ts';
import { normalUrl } from '../data/links/addresses.ts';
import { t } from './texts.ts';

const placeholders = ['{path}', '{1}', '{2}', '{query}', '{query.q}', '{code}', '{date}', '{user}'];
/** Delay after the last input before the server is asked, ms. */
const waitMs = 250;

type Tried = { readonly answer: SimulateResult } | { readonly error: unknown };

interface PlaceholdersProps {
  readonly url: string;
  /** Host and code, before the path. */
  readonly shortUrl: string;
  readonly onUrl: (url: string) => void;
}

/** Placeholders to insert into a destination, and the URL of a visit to try it. */
export function Placeholders({ url, shortUrl, onUrl }: PlaceholdersProps) {
  const [rest, setRest] = useState('');
  const [tried, setTried] = useState<Tried>();
  const destination = normalUrl(url);
  useEffect(() => {
    if (destination === undefined) return setTried(undefined);
    const controller = new AbortController();
    const timer = setTimeout(() => {
      const [path = '', ...query] = rest.trim().replace(/^\//, '').split('?');
      api
        .simulate(
          { url: destination, template: true, visit: { path, query: query.join('?') } },
          { signal: controller.signal },
        )
        .then(
          (answer) => setTried({ answer }),
          (error: unknown) => {
            if (!controller.signal.aborted) setTried({ error });
          },
        );
    }, waitMs);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [destination, rest]);
  return (
    <div class="placeholders">
      <div class="list" role="group" aria-label={t.placeholders.insert}>
        {placeholders.map((placeholder) => (
          <Button key={placeholder} size="small" onClick={() => onUrl(url + placeholder)}>
            {placeholder}
          </Button>
        ))}
      </div>
      <TextField
        label={t.placeholders.tryIt}
        prefix={`${shortUrl}/`}
        value={rest}
        placeholder="jira/123?q=1"
        onInput={setRest}
        help={t.placeholders.help}
      />
      <p class="small" role="status">
        <Outcome tried={tried} />
      </p>
    </div>
  );
}

function Outcome({ tried }: { readonly tried: Tried | undefined }) {
  if (tried === undefined) return <span class="soft">{t.placeholders.unfinished}</span>;
  if ('error' in tried) return <span class="fault">{explain(tried.error)}</span>;
  const { location, outcome } = tried.answer;
  if (location !== null) return <b class="cut block">{location}</b>;
  return <>{outcome === 'unfilled' ? t.placeholders.unfilled : t.placeholders.refused}</>;
}
