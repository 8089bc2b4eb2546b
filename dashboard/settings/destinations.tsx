import { useEffect, useState } from 'preact/hooks';
import { Check } from '../components/choices.tsx';
import { api } from '../data/client.ts';
import { showFailure } from '../data/explain.ts';
import { may } from '../data/session-state.ts';
import { readAccount } from './account.ts';
import { t } from './texts.ts';

/** Turns destination monitoring of the account on or off. */
export function Destinations() {
  const [isWatched, setWatched] = useState<boolean>();
  useEffect(() => {
    readAccount().then(({ watchDestinations }) => setWatched(watchDestinations), showFailure);
  }, []);
  if (isWatched === undefined) return null;
  const change = async (watchDestinations: boolean) => {
    setWatched(watchDestinations);
    try {
      await api.updateAccount({ watchDestinations });
    } catch (error) {
      setWatched(!watchDestinations);
      showFailure(error);
    }
  };
  return (
    <section id="destinations" class="settings-group">
      <h2>{t.settings.destinations}</h2>
      <div>
        <Check
          isOn={isWatched}
          isSwitch
          isDisabled={!may('domains:write')}
          onChange={(value) => void change(value)}
        >
          {t.settings.watch}
        </Check>
        <p class="small soft">{t.settings.watchHelp}</p>
      </div>
    </section>
  );
}
