import { useEffect, useState } from 'preact/hooks';
import type { DescribeInvitationResult } from '../../src/client/client.ts';
import { base } from '../browser/location.ts';
import { Button } from '../components/button.tsx';
import { Mark } from '../components/icon.tsx';
import { api } from '../data/client.ts';
import { longDate } from '../texts/format.ts';
import { NameForm } from './name-form.tsx';
import { OfferPasskey } from './new-passkey.tsx';
import { canHavePasskeys } from './passkeys.ts';
import { join } from './session.ts';
import { SignOnButton, useWays } from './sign-on.tsx';
import { t } from './texts.ts';

/**
 * Invitation page with the account, the role and a name field. The secret is in the URL fragment, which browsers do not
 * send to servers.
 */
export function Join() {
  const [token] = useState(() => location.hash.slice(1));
  const [invitation, setInvitation] = useState<DescribeInvitationResult>();
  const [isGone, setGone] = useState(false);
  const [isIn, setIn] = useState(false);
  const ways = useWays();
  // If single sign-on is available, an invitation sent to an email address must be accepted by signing in at the
  // provider.
  const isBound = ways?.singleSignOn != null && invitation?.email != null;
  const hasForm = ways?.isOnly === false && !isBound;
  useEffect(() => {
    document.title = t.title(t.join.title);
    api.describeInvitation({ token }).then(setInvitation, () => setGone(true));
  }, [token]);
  return (
    <main class="sign-in">
      <span class="mark">
        <Mark size={36} />
      </span>
      {isIn ? (
        <OfferPasskey onDone={() => location.replace(base)} />
      ) : isGone ? (
        <>
          <h1>{t.join.gone}</h1>
          <p class="soft">{t.join.goneMore}</p>
        </>
      ) : (
        invitation !== undefined &&
        ways !== undefined && (
          <>
            <h1>{t.join.to(invitation.account)}</h1>
            <p class="soft">
              {invitation.invitedBy === null ? '' : `${t.join.by(invitation.invitedBy)} `}
              {t.join.roles[invitation.role]}
            </p>
            {isBound && <p class="soft">{t.join.bound(invitation.email ?? '')}</p>}
            {ways.singleSignOn && (
              <div class="by-passkey joins">
                <SignOnButton invitation={token} />
                {hasForm && <span class="small soft">{t.signOn.orName}</span>}
              </div>
            )}
            {hasForm && (
              <NameForm
                label={t.join.name}
                help={t.join.ends(longDate(invitation.expiresAt))}
                missing={t.join.nameMissing}
                isFirst={!ways.singleSignOn}
                onName={async (name) => {
                  await join(token, name);
                  if (canHavePasskeys) setIn(true);
                  else location.replace(base);
                }}
              >
                {(isBusy) => (
                  <Button
                    kind={ways.singleSignOn ? 'second' : 'primary'}
                    size="large"
                    class="wide"
                    type="submit"
                    isBusy={isBusy}
                  >
                    {t.join.submit}
                  </Button>
                )}
              </NameForm>
            )}
          </>
        )
      )}
    </main>
  );
}
