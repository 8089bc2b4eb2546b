import { useEffect, useState } from 'preact/hooks';
import { createFunctions } from '../../src/client/client.ts';
import { base } from '../browser/location.ts';
import { Button } from '../components/button.tsx';
import { Mark } from '../components/icon.tsx';
import { explain } from '../data/explain.ts';
import { noteSession } from './session.ts';
import { place, type Waiting } from './sign-on.tsx';
import { t } from './texts.ts';

/** Where the provider sends people back to: on to where they were, or why not. */
export function ComeBack() {
  const [fault, setFault] = useState<string>();
  useEffect(() => {
    document.title = t.title(t.signIn.submit);
    const { search } = location;
    // What proves somebody must not stay in the address or in the history.
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

/** Takes the answer of the provider. @returns where to go on; undefined when this browser did not begin @throws what the server says */
async function comeBack(answer: string): Promise<string | undefined> {
  const kept = localStorage.getItem(place);
  localStorage.removeItem(place);
  if (kept === null) return undefined;
  const { token, invitation, from, connects } = JSON.parse(kept) as Waiting;
  // An answer counts once: a repetition would hide why the first was refused.
  const once = createFunctions({ baseUrl: location.origin, apiKey: null, retries: 0 });
  if (connects) await once.connectIdentity({ token, answer });
  else await once.signInBySingleSignOn({ token, answer, ...(invitation !== undefined && { invitation }) });
  noteSession(await once.getSession());
  return from.startsWith(base) ? from : base;
}
