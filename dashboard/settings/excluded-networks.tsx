import type { AccountSettings } from './account.ts';
import { t } from './texts.ts';
import { ThisBrowser } from './this-browser.tsx';
import { WordList } from './word-list.tsx';

/** Settings for browsers and networks whose visits are not counted. */
export function ExcludedNetworks({ account: { excludedNetworks }, onChange }: AccountSettings) {
  return (
    <WordList
      id="ownVisits"
      title={t.settings.ownVisits}
      label={t.settings.excludedNetworks}
      help={t.settings.excludedNetworksHelp}
      none={t.settings.noExcludedNetworks}
      placeholder="203.0.113.0/24"
      value={excludedNetworks}
      readText={(text) => (/^[\da-f.:/]+$/i.test(text.trim()) ? text.trim() : undefined)}
      onChange={(networks) => onChange({ excludedNetworks: networks })}
    >
      <ThisBrowser />
    </WordList>
  );
}
