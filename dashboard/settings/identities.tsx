import { useEffect, useState } from 'preact/hooks';
import type { ListIdentitiesResult } from '../../src/client/client.ts';
import { Button } from '../components/button.tsx';
import { api } from '../data/client.ts';
import { showFailure } from '../data/explain.ts';
import { me } from '../data/session-state.ts';
import { notify } from '../data/undo.ts';
import { leaveFor, useWays } from '../sign-in/sign-on.tsx';
import { longDate } from '../texts/format.ts';
import { t } from './texts.ts';

/**
 * Section with the user's identity at the OpenID Connect provider. Hidden if there is no provider, or if the session
 * belongs to a key.
 */
export function Identities() {
  const person = me.value?.person;
  const ways = useWays();
  const [identities, setIdentities] = useState<ListIdentitiesResult>();
  const read = () => api.listIdentities().then(setIdentities, showFailure);
  useEffect(() => {
    if (person) void read();
  }, [person?.id]);
  if (!person || !ways?.singleSignOn || identities === undefined) return null;
  const name = ways.singleSignOn.name ?? t.identities.noName;
  const connect = async () => {
    try {
      leaveFor(await api.beginIdentity(), { connects: true });
    } catch (error) {
      showFailure(error);
    }
  };
  const disconnect = async () => {
    try {
      await api.disconnectIdentities();
      notify(t.identities.gone);
    } catch (error) {
      showFailure(error);
    }
    await read();
  };
  const [known] = identities;
  return (
    <section class="settings-group">
      <h2>{name}</h2>
      <p class="small soft">
        {known === undefined ? t.identities.about(name) : t.identities.since(longDate(known.createdAt))}
        {known?.isByGroup && ` ${t.identities.byGroup}`}
      </p>
      <div>
        {known === undefined ? (
          <Button onClick={() => void connect()}>{t.identities.connect(name)}</Button>
        ) : (
          !known.isByGroup &&
          !ways.isOnly && <Button onClick={() => void disconnect()}>{t.identities.disconnect(name)}</Button>
        )}
      </div>
    </section>
  );
}
