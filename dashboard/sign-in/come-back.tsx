import { useEffect, useState } from 'preact/hooks';
import { createFunctions } from '../../src/client/client.ts';
import { base } from '../browser/location.ts';
import { Button } from '../components/button.tsx';
import { Mark } from '../components/icon.tsx';
import { explain } from '../data/explain.ts';
import { noteSession } from './session.ts';
import { place, type Waiting } from './sign-on.tsx';
import { t } from './texts.ts';

/** Page at the redirect URI for the OpenID Connect provider. Continues where the user left off, or shows the error. */
export function ComeBack() {
  const [fault, setFault] = useState<string>();
  useEffect(() => {
    document.title = t.title(t.signIn.submit);
    const { search } = location;
    // Remove the authorization code from the URL and the browser history.
    history.replaceState(null, '', location.pathname);
    comeBack(search || '?').then(
      (from) => (from === undefined ? setFault(t.signOn.elsewhere) : location.replace(from)),
      (error) => setFault(explain(error)),
    );
  }, []);
  return (
    <main class="sign-in">
      <span class="mark">
        <Mark size={36} />
      </span>
      {fault === undefined ? (
        <p class="soft">{t.signOn.wait}</p>
      ) : (
        <>
          <h1>{t.signOn.failed}</h1>
          <p class="soft" role="alert">
            {fault}
          </p>
          <div class="ways joins">
            <Button kind="primary" size="large" href={base} onClick={() => location.assign(base)}>
              {t.signOn.again}
            </Button>
          </div>
        </>
      )}
    </main>
  );
}

/**
 * Processes the provider's response.
 * @returns the URL at which to continue, or undefined if this browser did not start the sign-in
 * @throws LinkfoldError from the server
 */
async function comeBack(answer: string): Promise<string | undefined> {
  const kept = localStorage.getItem(place);
  localStorage.removeItem(place);
  if (kept === null) return undefined;
  const { token, invitation, from, connects } = JSON.parse(kept) as Waiting;
  // Don't retry. A provider's response is valid only once, so a retry would hide why the first request was rejected.
  const once = createFunctions({ baseUrl: location.origin, apiKey: null, retries: 0 });
  if (connects) await once.connectIdentity({ token, answer });
  else await once.signInBySingleSignOn({ token, answer, ...(invitation !== undefined && { invitation }) });
  noteSession(await once.getSession());
  return from.startsWith(base) ? from : base;
}
