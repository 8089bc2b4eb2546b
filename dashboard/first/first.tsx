import { useEffect, useState } from 'preact/hooks';
import { base, go } from '../browser/location.ts';
import { Mark } from '../components/icon.tsx';
import { api } from '../data/client.ts';
import { may, me } from '../data/session-state.ts';
import { Owner } from './owner.tsx';
import { Steps } from './steps.tsx';
import { t } from './texts.ts';

/** First-run setup, opened with the one-time link. Asks for a name and then shows three steps. */
export function First() {
  const [isNamed, setNamed] = useState<boolean>();
  useEffect(() => {
    void hasOwner().then(setNamed);
    document.title = t.title(t.first.title);
  }, []);
  // Autofocus works only once per document, so focus later fields explicitly.
  useEffect(() => {
    if (isNamed) document.querySelector<HTMLInputElement>('.first .steps input')?.focus();
  }, [isNamed]);
  return (
    <main class="first">
      <span class="mark">
        <Mark size={36} />
      </span>
      <h1>{t.first.title}</h1>
      {isNamed === true && <Steps onDone={() => go(base)} />}
      {isNamed === false && <Owner onDone={() => setNamed(true)} />}
    </main>
  );
}

/** Returns true if the account already has members, or this user cannot become a member. */
async function hasOwner(): Promise<boolean> {
  if (me.peek()?.person !== null || !may('people:write')) return true;
  return api.listMembers().then(
    (members) => members.length > 0,
    () => true,
  );
}
