import { useState } from 'preact/hooks';
import { LinkfoldError, type UpdateDomainInput } from '../../src/client/client.ts';
import { Fault } from '../components/ask.tsx';
import { Button } from '../components/button.tsx';
import { TextField } from '../components/field.tsx';
import { api } from '../data/client.ts';
import type { Domain } from '../data/domains.ts';
import { notify } from '../data/undo.ts';
import { t } from './texts.ts';
import { changesWait, explainRefusal } from './words.tsx';

const files = ['appleAppSiteAssociation', 'assetLinks'] as const;
type File = (typeof files)[number];
type Texts = Readonly<Record<File, string>>;
const textsOf = {
  appleAppSiteAssociation: { label: 'apple', help: 'appleHelp' },
  assetLinks: { label: 'android', help: 'androidHelp' },
} as const;

/** A domain's app association files, loaded when the user opens the section. */
export function Apps({ domain: { id, hostUnicode } }: { readonly domain: Domain }) {
  const [texts, setTexts] = useState<Texts>();
  const [faults, setFaults] = useState<Partial<Texts> & { readonly other?: string }>({});
  const [isBusy, setBusy] = useState(false);

  const read = async () => {
    try {
      const found = await api.getDomain(id, { include: ['associationFiles'] });
      setTexts(written(found));
    } catch (error) {
      setFaults({ other: explainRefusal(error) });
    }
  };
  const save = async (given: Texts) => {
    const wrong = files.filter((name) => given[name].trim() !== '' && !isJson(given[name]));
    setFaults(Object.fromEntries(wrong.map((name) => [name, t.domains.noJson])));
    if (wrong.length > 0 || isBusy) return;
    setBusy(true);
    try {
      const sent = files.map((name) => [name, given[name].trim() === '' ? null : JSON.parse(given[name])]);
      await api.updateDomain(id, Object.fromEntries(sent) as UpdateDomainInput);
      notify(t.domains.saved(hostUnicode));
    } catch (error) {
      setFaults(faultsIn(error));
    }
    setBusy(false);
  };
  return (
    <details
      class="settings-group apps"
      style={{ maxWidth: '46rem' }}
      onToggle={(event) => {
        if (event.currentTarget.open && texts === undefined) void read();
      }}
    >
      <summary>
        <b>{t.domains.apps}</b>
      </summary>
      <p class="soft small">{t.domains.appsHelp}</p>
      <Fault text={faults.other} />
      {texts !== undefined && (
        <form
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            void save(texts);
          }}
        >
          {files.map((name) => (
            <TextField
              key={name}
              isOptional
              isMultiline
              label={t.domains[textsOf[name].label]}
              value={texts[name]}
              onInput={(value) => {
                setTexts({ ...texts, [name]: value });
                setFaults({});
              }}
              error={faults[name]}
              help={t.domains[textsOf[name].help]}
            />
          ))}
          <Button kind="primary" type="submit" isBusy={isBusy} disabledReason={changesWait()}>
            {t.save}
          </Button>
        </form>
      )}
    </details>
  );
}

function written(domain: Pick<Domain, File>): Texts {
  const text = (value: unknown): string => (value == null ? '' : JSON.stringify(value, null, 2));
  return {
    appleAppSiteAssociation: text(domain.appleAppSiteAssociation),
    assetLinks: text(domain.assetLinks),
  };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function faultsIn(error: unknown) {
  const details = error instanceof LinkfoldError ? error.details : [];
  const found = files.flatMap((name) => {
    const one = details.find(({ field }) => field.startsWith(name));
    return one === undefined ? [] : [[name, t.domains.fileRefused(one.message)]];
  });
  return found.length === 0 ? { other: explainRefusal(error) } : Object.fromEntries(found);
}
