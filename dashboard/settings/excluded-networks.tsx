import { useEffect, useState } from 'preact/hooks';
import { Field } from '../components/field.tsx';
import { Tokens } from '../components/tokens.tsx';
import { api } from '../data/client.ts';
import { showFailure } from '../data/explain.ts';
import { may } from '../data/session-state.ts';
import { list } from '../texts/format.ts';
import { readAccount } from './account.ts';
import { t } from './texts.ts';

const field = 'excluded-networks-field';

/** Networks whose visits are not counted. Saved with each change. */
export function ExcludedNetworks() {
  const [networks, setNetworks] = useState<readonly string[]>();
  useEffect(() => {
    readAccount().then(({ excludedNetworks }) => setNetworks(excludedNetworks), showFailure);
  }, []);
  if (networks === undefined) return null;
  const change = async (excludedNetworks: readonly string[]) => {
    setNetworks(excludedNetworks);
    try {
      await api.updateAccount({ excludedNetworks: [...excludedNetworks] });
    } catch (error) {
      setNetworks(networks);
      showFailure(error);
    }
  };
  return (
    <section id="ownVisits" class="settings-group">
      <h2>{t.settings.ownVisits}</h2>
      {may('domains:write') ? (
        <Field id={field} label={t.settings.excludedNetworks} help={t.settings.excludedNetworksHelp}>
          <Tokens
            id={field}
            label={t.settings.excludedNetworks}
            value={networks}
            onChange={(value) => void change(value)}
            labelOf={(network) => network}
            options={[]}
            readText={(text) => (/^[\da-f.:/]+$/i.test(text.trim()) ? text.trim() : undefined)}
            placeholder="203.0.113.0/24"
          />
        </Field>
      ) : (
        <p>{networks.length === 0 ? t.settings.noExcludedNetworks : list(networks)}</p>
      )}
    </section>
  );
}
