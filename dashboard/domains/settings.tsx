import { useState } from 'preact/hooks';
import { LinkfoldError, type UpdateDomainInput } from '../../src/client/client.ts';
import { Fault } from '../components/ask.tsx';
import { Button } from '../components/button.tsx';
import { Check, ChoiceField } from '../components/choices.tsx';
import { TextField } from '../components/field.tsx';
import { api } from '../data/client.ts';
import type { Domain } from '../data/domains.ts';
import { normalUrl } from '../data/links/addresses.ts';
import { notify } from '../data/undo.ts';
import { whyNoTarget } from '../fields/name-dialog.tsx';
import { t as fieldTexts } from '../fields/texts.ts';
import { keepDomain } from './change.ts';
import { t } from './texts.ts';
import { changesWait, explainRefusal } from './words.tsx';

const targets = ['rootUrl', 'unknownUrl', 'expiredUrl'] as const;
type Target = (typeof targets)[number];
const helpOf = { rootUrl: 'rootHelp', unknownUrl: 'unknownHelp', expiredUrl: 'expiredHelp' } as const;
type Faults = { readonly [Name in Target | 'codes' | 'golinks' | 'other']?: string };

function targetsOf(domain: Domain): Record<Target, string> {
  const { rootUrl, unknownUrl, expiredUrl } = domain;
  return { rootUrl: rootUrl ?? '', unknownUrl: unknownUrl ?? '', expiredUrl: expiredUrl ?? '' };
}

/** Domain settings. */
export function Settings({ domain }: { readonly domain: Domain }) {
  const { id, hostUnicode, linkCount } = domain;
  const [urls, setUrls] = useState(() => targetsOf(domain));
  const [codes, setCodes] = useState(domain.codes);
  const [indexed, setIndexed] = useState(domain.indexed);
  const [golinks, setGolinks] = useState(domain.golinks);
  const [faults, setFaults] = useState<Faults>({});
  const [isBusy, setBusy] = useState(false);

  const save = async () => {
    const wrong = targets.filter((name) => urls[name].trim() !== '' && normalUrl(urls[name]) === undefined);
    setFaults(Object.fromEntries(wrong.map((name) => [name, fieldTexts.field.addressWrong])));
    if (wrong.length > 0 || isBusy) return;
    setBusy(true);
    try {
      const sent = targets.map((name) => [name, normalUrl(urls[name]) ?? null]);
      const change = {
        ...Object.fromEntries(sent),
        indexed,
        ...(codes !== domain.codes && { codes }),
        ...(golinks !== domain.golinks && { golinks }),
      };
      const changed = await api.updateDomain(id, change as UpdateDomainInput);
      keepDomain(changed);
      setUrls(targetsOf(changed));
      notify(t.domains.saved(hostUnicode));
    } catch (error) {
      setFaults(faultsIn(error));
    }
    setBusy(false);
  };
  return (
    <form
      class="settings-group"
      style={{ maxWidth: '46rem' }}
      aria-labelledby="domain-settings"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <h2 id="domain-settings">{t.domains.settings}</h2>
      {targets.map((name) => (
        <TextField
          key={name}
          isOptional
          label={t.domains[name]}
          placeholder="https://"
          value={urls[name]}
          onInput={(value) => {
            setUrls({ ...urls, [name]: value });
            setFaults({});
          }}
          error={faults[name]}
          help={t.domains[helpOf[name]]}
          input={{ inputMode: 'url', maxLength: 8_192 }}
        />
      ))}
      {linkCount > 0 ? (
        <div class="field">
          <div class="head">
            <span class="name">{t.domains.codes}</span>
          </div>
          <p>{t.domains.codeModes[codes]}</p>
          <p class="help">{t.domains.codesFixed}</p>
        </div>
      ) : (
        <ChoiceField
          label={t.domains.codes}
          values={['folded', 'exact']}
          names={t.domains.codeModes}
          value={codes}
          onChange={setCodes}
          help={t.domains.codesHelp[codes]}
        />
      )}
      <Fault text={faults.codes} />
      <div class="field">
        <Check isOn={golinks} isSwitch onChange={setGolinks}>
          {t.domains.golinks}
        </Check>
        <p class="help">{t.domains.golinksHelp}</p>
      </div>
      <Fault text={faults.golinks} />
      <div class="field">
        <Check isOn={indexed} isSwitch onChange={setIndexed}>
          {t.domains.indexed}
        </Check>
        <p class="help">{t.domains.indexedHelp}</p>
      </div>
      <Fault text={faults.other} />
      <div>
        <Button kind="primary" type="submit" isBusy={isBusy} disabledReason={changesWait()}>
          {t.save}
        </Button>
      </div>
    </form>
  );
}

function faultsIn(error: unknown): Faults {
  if (!(error instanceof LinkfoldError)) return { other: explainRefusal(error) };
  if (error.details.some(({ field }) => field === 'golinks')) return { golinks: whyNoGolinks(error.message) };
  if (error.code === 'DOMAIN_IN_USE') return { codes: t.domains.codesFixed };
  const found = error.details.filter(({ field }) => targets.some((name) => name === field));
  if (found.length === 0) return { other: explainRefusal(error) };
  return Object.fromEntries(found.map((detail) => [detail.field, whyNoTarget(detail)]));
}

/**
 * Explains why golinks cannot be enabled.
 * @param message API error message, which quotes two codes if they would become identical
 */
function whyNoGolinks(message: string): string {
  const [, one, other] = /"([^"]+)"[^"]+"([^"]+)"/.exec(message) ?? [];
  return one === undefined || other === undefined
    ? t.domains.golinksExact
    : t.domains.golinksSame(one, other);
}
