import type { AccountSettings } from './account.ts';
import { t } from './texts.ts';
import { WordList } from './word-list.tsx';

/** Extracts the scheme from text such as `acme` or `acme://item/1`. */
function schemeIn(text: string): string | undefined {
  return /^[a-z][a-z0-9+.-]*(?=:|$)/.exec(text.trim().toLowerCase())?.[0];
}

/** Setting for the app URL schemes that redirect rules may open. */
export function AppSchemes({ account: { appSchemes }, onChange }: AccountSettings) {
  return (
    <WordList
      id="apps"
      title={t.settings.apps}
      label={t.settings.appSchemes}
      help={t.settings.appSchemesHelp}
      none={t.settings.noAppSchemes}
      placeholder="acme"
      value={appSchemes}
      readText={schemeIn}
      onChange={(schemes) => onChange({ appSchemes: schemes })}
    />
  );
}
