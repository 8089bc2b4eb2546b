import { useEffect, useState } from 'preact/hooks';
import { base, go } from '../browser/location.ts';
import { Mark } from '../components/icon.tsx';
import { api } from '../data/client.ts';
import { may, me } from '../data/session-state.ts';
import { Owner } from './owner.tsx';
import { Steps } from './steps.tsx';
import { t } from './texts.ts';

/** First-run setup after the one-time link: your name, three steps, and nothing else. */
export function First() {
  const [isNamed, setNamed] = useState<boolean>();
  useEffect(() => {
    void hasOwner().then(setNamed);
    document.title = t.title(t.first.title);
  }, []);
  // Autofocus works once per document; later fields are focused explicitly.
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

/** Returns true if the account has members already, or this user cannot become one. */
async function hasOwner(): Promise<boolean> {
  if (me.peek()?.person !== null || !may('people:write')) return true;
  return api.listMembers().then(
    (members) => members.length > 0,
    () => true,
  );
}
