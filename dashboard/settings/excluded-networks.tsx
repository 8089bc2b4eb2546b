import { Field } from '../components/field.tsx';
import { Tokens } from '../components/tokens.tsx';
import { may } from '../data/session-state.ts';
import { list } from '../texts/format.ts';
import type { AccountSettings } from './account.ts';
import { t } from './texts.ts';

const field = 'excluded-networks-field';

/** Networks whose visits are not counted. Saved with each change. */
export function ExcludedNetworks({ account: { excludedNetworks }, onChange }: AccountSettings) {
  return (
    <section id="ownVisits" class="settings-group">
      <h2>{t.settings.ownVisits}</h2>
      {may('domains:write') ? (
        <Field id={field} label={t.settings.excludedNetworks} help={t.settings.excludedNetworksHelp}>
          <Tokens
            id={field}
            label={t.settings.excludedNetworks}
            value={excludedNetworks}
            onChange={(networks) => onChange({ excludedNetworks: [...networks] })}
            labelOf={(network) => network}
            options={[]}
            readText={(text) => (/^[\da-f.:/]+$/i.test(text.trim()) ? text.trim() : undefined)}
            placeholder="203.0.113.0/24"
          />
        </Field>
      ) : (
        <p>{excludedNetworks.length === 0 ? t.settings.noExcludedNetworks : list(excludedNetworks)}</p>
      )}
    </section>
  );
}
