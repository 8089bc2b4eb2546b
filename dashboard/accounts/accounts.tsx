import { useEffect, useState } from 'preact/hooks';
import type { ListAccountsOfBrowserResult } from '../../src/client/client.ts';
import { base, closeDialog } from '../browser/location.ts';
import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { api } from '../data/client.ts';
import { showFailure } from '../data/explain.ts';
import { me } from '../data/session-state.ts';
import { signOut, switchTo } from '../sign-in/session.ts';
import { useWays } from '../sign-in/sign-on.tsx';
import { t } from './texts.ts';
import { Ways } from './ways.tsx';

/** Dialog that lists the browser's signed-in accounts: switch, add an account, or sign out of all. */
export function Accounts() {
  const [accounts, setAccounts] = useState<ListAccountsOfBrowserResult>([]);
  const ways = useWays();
  const [isAdding, setAdding] = useState(false);
  useEffect(() => {
    api.listAccountsOfBrowser().then(setAccounts, showFailure);
  }, []);
  const [elsewhere, setElsewhere] = useState<string | null>(null);
  useEffect(() => {
    const findOut = async () => {
      if (me.value?.person == null || (await api.listIdentities()).length === 0) return;
      setElsewhere((await api.getSignOutAtProvider()).url);
    };
    findOut().catch(showFailure);
  }, []);
  const close = () => void closeDialog();
  const goOn = async (id: string) => {
    await closeDialog();
    await switchTo(id).catch(showFailure);
  };
  if (isAdding)
    return (
      <Dialog title={t.accounts.add} width="26rem" onClose={close}>
        <Ways isKeyToo onDone={() => location.assign(base)} />
      </Dialog>
    );
  return (
    <Dialog title={t.accounts.title} width="28rem" onClose={close}>
      <ul class="accounts">
        {accounts.map(({ id, account, person, keyName, isCurrent }) => (
          <li key={id}>
            <span class="cut">
              <b dir="auto">{account}</b>
              <span class="soft block cut" dir="auto">
                {person === null ? t.accounts.byKey(keyName) : person.name}
              </span>
            </span>
            {isCurrent ? (
              <span class="small soft">{t.accounts.here}</span>
            ) : (
              <Button size="small" label={t.accounts.switchTo(account)} onClick={() => void goOn(id)}>
                {t.accounts.switch}
              </Button>
            )}
          </li>
        ))}
      </ul>
      <div class="ways">
        <Button icon="plus" onClick={() => setAdding(true)}>
          {t.accounts.add}
        </Button>
        <Button kind="quiet" onClick={() => void signOut()}>
          {accounts.length > 1 ? t.accounts.outOfAll : t.accounts.out}
        </Button>
        {elsewhere !== null && (
          <Button
            kind="quiet"
            onClick={() => void signOut().then(() => location.assign(elsewhere), showFailure)}
          >
            {t.accounts.outThere(ways?.singleSignOn?.name ?? null)}
          </Button>
        )}
      </div>
    </Dialog>
  );
}
