import { useState } from 'preact/hooks';
import { query } from '../browser/location.ts';
import { Fault, useAsk } from '../components/ask.tsx';
import { AskDialog } from '../components/ask-dialog.tsx';
import { ChoiceField } from '../components/choices.tsx';
import { Dialog, DialogFoot } from '../components/dialog.tsx';
import { TextField } from '../components/field.tsx';
import { api } from '../data/client.ts';
import { may, me } from '../data/session-state.ts';
import { RestrictionFields, type Restrictions, restrictionsInput } from '../fields/restrictions.tsx';
import { longDate } from '../texts/format.ts';
import { allScopes, expiryOf, type KeyExpiry, restrictedScopes, type Scope, scopeName } from './form.ts';
import { t } from './texts.ts';
import type { Key, NewKey } from './types.ts';

interface NewKeyProps {
  readonly onCreated: (key: NewKey) => void;
  readonly onClose: () => void;
}

const usual: readonly Scope[] = ['links:read', 'links:write', 'analytics:read'];

/**
 * Dialog that creates a key with a name, scopes and expiry. Scopes that the session lacks cannot be granted. A program
 * can request specific scopes through the URL.
 */
export function NewKeyDialog({ onCreated, onClose }: NewKeyProps) {
  const asked = query.value.get('key')?.split(',') ?? [];
  const wanted = allScopes.filter((scope) => asked.includes(scope));
  const [name, setName] = useState(query.value.get('title') ?? '');
  const [scopes, setScopes] = useState(() => (wanted.length > 0 ? wanted : usual).filter(may));
  const [restrictions, setRestrictions] = useState<Restrictions>({ domains: [], folders: [] });
  const isRestricted = restrictions.domains.length + restrictions.folders.length > 0;
  const canGive = (scope: Scope) => may(scope) && (!isRestricted || restrictedScopes.includes(scope));
  const given = scopes.filter(canGive);
  const [preset, setPreset] = useState<KeyExpiry>('90');
  const [nameFault, setNameFault] = useState<string>();
  const { isBusy, fault, setFault, ask } = useAsk();
  const expiresAt = expiryOf(preset, Date.now(), me.value?.key.expiresAt ?? null);

  const make = () => {
    if (name.trim() === '') return setNameFault(t.keys.nameMissing);
    if (given.length === 0) return setFault(t.keys.scopeMissing);
    void ask(async () =>
      onCreated(
        await api.createKey({
          ...restrictionsInput(restrictions),
          scopes: [...given],
          name: name.trim(),
          expiresAt,
        }),
      ),
    );
  };
  return (
    <Dialog
      title={t.keys.add}
      width="32.5rem"
      onClose={onClose}
      onSubmit={make}
      foot={<DialogFoot action={t.keys.make} isBusy={isBusy} onAction={make} onCancel={onClose} />}
    >
      <div class="stack">
        <TextField
          label={t.keys.name}
          value={name}
          placeholder={t.keys.nameHint}
          onInput={(value) => {
            setName(value);
            setNameFault(undefined);
          }}
          error={nameFault}
          input={{ autofocus: true, maxLength: 100, dir: 'auto' }}
        />
        <fieldset class="plain-set">
          <legend>{t.keys.may}</legend>
          <div class="rights">
            {allScopes.map((scope) => (
              <label key={scope} class="option">
                <input
                  type="checkbox"
                  class="check"
                  checked={given.includes(scope)}
                  disabled={!canGive(scope)}
                  onChange={(event) =>
                    setScopes(
                      event.currentTarget.checked
                        ? [...scopes, scope]
                        : scopes.filter((other) => other !== scope),
                    )
                  }
                />
                <span class="first-up">{scopeName(scope)}</span>
                {!canGive(scope) && (
                  <span class="soft label">· {may(scope) ? t.keys.ofAll : t.keys.lacks}</span>
                )}
              </label>
            ))}
          </div>
        </fieldset>
        <RestrictionFields value={restrictions} onChange={setRestrictions} />
        <ChoiceField
          label={t.keys.expires}
          values={['30', '90', '365', 'never']}
          names={t.keys.presets}
          value={preset}
          onChange={setPreset}
          help={expiresAt === null ? t.keys.neverHelp : t.keys.expiryHelp(longDate(expiresAt))}
        />
        <Fault text={fault} />
      </div>
    </Dialog>
  );
}

type Grace = '0' | '1' | '24' | '168';

/** Dialog that rotates a key. Asks how long the old key remains valid. */
export function RotateDialog({ subject, onCreated, onClose }: NewKeyProps & { readonly subject: Key }) {
  const [grace, setGrace] = useState<Grace>('24');
  const rotate = async () =>
    onCreated(await api.rotateKey(subject.id, { graceSeconds: Number(grace) * 3_600 }));
  return (
    <AskDialog
      title={t.keys.rotateTitle(subject.name)}
      action={t.keys.rotateNow}
      onAct={rotate}
      onClose={onClose}
    >
      <p class="soft">{t.keys.rotateHelp}</p>
      <ChoiceField
        label={t.keys.grace}
        values={['0', '1', '24', '168']}
        names={t.keys.graces}
        value={grace}
        onChange={setGrace}
      />
    </AskDialog>
  );
}
