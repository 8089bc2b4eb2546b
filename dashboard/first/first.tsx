import { useEffect, useState } from 'preact/hooks';
import { base, go } from '../browser/location.ts';
import { Mark } from '../components/icon.tsx';
import { api } from '../data/client.ts';
import { may, me } from '../data/session-state.ts';
import { Owner } from './owner.tsx';
import { Steps } from './steps.tsx';
import { t } from './texts.ts';

/** The first start, after the one-time link: who this is, three steps, and nothing else. */
export function First() {
  const [isNamed, setNamed] = useState<boolean>();
  useEffect(() => {
    void hasOwner().then(setNamed);
    document.title = t.title(t.first.title);
  }, []);
  // A document takes one field's wish to be typed into; the next one is given the keyboard.
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

/** Whether somebody is a person here already, or the reader cannot become one. */
async function hasOwner(): Promise<boolean> {
  if (me.peek()?.person !== null || !may('people:write')) return true;
  return api.listMembers().then(
    (members) => members.length > 0,
    () => true,
  );
}
