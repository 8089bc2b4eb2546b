import { useEffect, useState } from 'preact/hooks';
import type { ListAccountsOfBrowserResult } from '../../src/client/client.ts';
import { Fault, useAsk } from '../components/ask.tsx';
import { Button } from '../components/button.tsx';
import { Mark } from '../components/icon.tsx';
import { api } from '../data/client.ts';
import { offeredLink } from '../data/session-state.ts';
import { begin, redeemSignInLink } from '../sign-in/session.ts';
import { t as signInTexts } from '../sign-in/texts.ts';
import { t } from './texts.ts';

/** Returns the name of the member or key that a session acts as. */
function nameOf({ person, keyName }: Pick<ListAccountsOfBrowserResult[number], 'person' | 'keyName'>) {
  return person?.name ?? t.signInLink.key(keyName);
}

/**
 * Confirmation page for a sign-in link: shows the user, the account, and the current session. Signs the user in only
 * after a click.
 */
export function OfferedLink() {
  const [current, setCurrent] = useState<ListAccountsOfBrowserResult[number] | null>();
  const { isBusy, fault, ask } = useAsk();
  useEffect(() => {
    document.title = signInTexts.title(signInTexts.signIn.submit);
    api.listAccountsOfBrowser().then(
      (all) => setCurrent(all.find(({ isCurrent }) => isCurrent) ?? null),
      () => setCurrent(null),
    );
  }, []);
  const { value: link } = offeredLink;
  // Wait for both responses, so that the buttons do not move under the pointer.
  if (link === undefined || current === undefined) return null;
  const isOther = current !== null && (current.account !== link.account || nameOf(current) !== nameOf(link));
  return (
    <main class="sign-in">
      <span class="mark">
        <Mark size={36} />
      </span>
      <h1 dir="auto">{t.signInLink.signIn(nameOf(link), link.account)}</h1>
      {isOther ? (
        <p class="soft" dir="auto">
          {t.signInLink.other(nameOf(current), current.account)}
        </p>
      ) : (
        <p class="soft">{t.signInLink.once}</p>
      )}
      <div class="by-passkey joins">
        <Button
          kind="primary"
          size="large"
          class="wide"
          isBusy={isBusy}
          onClick={() => void ask(() => redeemSignInLink(link.token))}
        >
          {signInTexts.signIn.submit}
        </Button>
        {current !== null && (
          <Button size="large" class="wide" onClick={() => void begin()}>
            {t.signInLink.cancel}
          </Button>
        )}
        <Fault text={fault} />
      </div>
    </main>
  );
}
