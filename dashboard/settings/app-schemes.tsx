import { Field } from '../components/field.tsx';
import { Tokens } from '../components/tokens.tsx';
import { may } from '../data/session-state.ts';
import { list } from '../texts/format.ts';
import type { AccountSettings } from './account.ts';
import { t } from './texts.ts';

const field = 'app-schemes-field';

/** Reads a scheme from a text such as `acme` or `acme://item/1`. */
function schemeIn(text: string): string | undefined {
  return /^[a-z][a-z0-9+.-]*(?=:|$)/.exec(text.trim().toLowerCase())?.[0];
}

/** URL schemes of apps that redirect rules may open. Saved with each change. */
export function AppSchemes({ account: { appSchemes }, onChange }: AccountSettings) {
  return (
    <section id="apps" class="settings-group">
      <h2>{t.settings.apps}</h2>
      {may('domains:write') ? (
        <Field id={field} label={t.settings.appSchemes} help={t.settings.appSchemesHelp}>
          <Tokens
            id={field}
            label={t.settings.appSchemes}
            value={appSchemes}
            onChange={(schemes) => onChange({ appSchemes: [...schemes] })}
            labelOf={(scheme) => scheme}
            options={[]}
            readText={schemeIn}
            placeholder="acme"
          />
        </Field>
      ) : (
        <p>{appSchemes.length === 0 ? t.settings.noAppSchemes : list(appSchemes)}</p>
      )}
    </section>
  );
}
