import { useEffect } from 'preact/hooks';
import { base, go } from '../browser/location.ts';
import { Mark } from '../components/icon.tsx';
import { Steps } from './steps.tsx';
import { t } from './texts.ts';

/** The first start, after the one-time link: three steps, and nothing else. */
export function First() {
  useEffect(() => {
    document.title = t.title(t.first.title);
  }, []);
  return (
    <main class="first">
      <span class="mark">
        <Mark size={36} />
      </span>
      <h1>{t.first.title}</h1>
      <Steps onDone={() => go(base)} />
    </main>
  );
}
