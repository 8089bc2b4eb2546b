import { Check } from '../components/choices.tsx';
import { may } from '../data/session-state.ts';
import type { AccountSettings } from './account.ts';
import { t } from './texts.ts';

/** Setting that turns the account's destination monitoring on or off. */
export function Destinations({ account, onChange }: AccountSettings) {
  return (
    <section id="destinations" class="settings-group">
      <h2>{t.settings.destinations}</h2>
      <div>
        <Check
          isOn={account.watchDestinations}
          isSwitch
          isDisabled={!may('domains:write')}
          onChange={(watchDestinations) => onChange({ watchDestinations })}
        >
          {t.settings.watch}
        </Check>
        <p class="small soft">{t.settings.watchHelp}</p>
      </div>
    </section>
  );
}
