import { useState } from 'preact/hooks';
import { Button } from '../components/button.tsx';
import { TextField } from '../components/field.tsx';
import { explain } from '../data/explain.ts';
import { normalUrl } from '../data/links/addresses.ts';
import { type Simulated, useSimulation } from '../data/simulation.ts';
import { t } from './texts.ts';

const placeholders = ['{path}', '{1}', '{2}', '{query}', '{query.q}', '{code}', '{date}', '{user}'];
interface PlaceholdersProps {
  readonly url: string;
  /** Host and code, shown before the path of the test visit. */
  readonly shortUrl: string;
  readonly onUrl: (url: string) => void;
}

/** Buttons that insert placeholders into a destination, and a preview of the URL that a test visit is redirected to. */
export function Placeholders({ url, shortUrl, onUrl }: PlaceholdersProps) {
  const [rest, setRest] = useState('');
  const destination = normalUrl(url);
  const [path = '', ...query] = rest.trim().replace(/^\//, '').split('?');
  const visit = { path, query: query.join('?') };
  const input = destination === undefined ? undefined : { url: destination, template: true, visit };
  const tried = useSimulation(input, undefined, undefined);
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

function Outcome({ tried }: { readonly tried: Simulated<undefined> | undefined }) {
  if (tried === undefined) return <span class="soft">{t.placeholders.unfinished}</span>;
  const { answer, error } = tried;
  if (answer === undefined) return <span class="fault">{explain(error)}</span>;
  if (answer.location !== null) return <b class="cut block">{answer.location}</b>;
  return <>{answer.outcome === 'unfilled' ? t.placeholders.unfilled : t.placeholders.refused}</>;
}
