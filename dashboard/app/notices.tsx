import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { openDialogName } from '../browser/location.ts';
import { whileInSight } from '../browser/sight.ts';
import { Button } from '../components/button.tsx';
import { Icon } from '../components/icon.tsx';
import { Banner } from '../components/pieces.tsx';
import { checkServer, isOutdated, outage } from '../data/connection.ts';
import { currentNotice } from '../data/undo.ts';
import { time } from '../texts/format.ts';
import { t } from './texts.ts';

const checkEveryMs = 15_000;
/**
 * How long the page must be hidden before it reloads for a new build, in ms. By then, its last requests have finished.
 */
const hiddenMs = 10_000;

/** Banner above every screen if the server is unreachable or has a newer build. */
export function Notices() {
  useEffect(
    () =>
      whileInSight(
        () => void checkServer(),
        checkEveryMs,
        () => outage.peek() === undefined,
      ),
    [],
  );
  if (outage.value !== undefined) return <Offline {...outage.value} />;
  return isOutdated.value ? <NewVersion /> : null;
}

const ticking = signal(0);

function Offline({ since, nextTryAt }: { readonly since: number; readonly nextTryAt: number }) {
  useEffect(() => {
    const timer = setInterval(() => {
      ticking.value = Date.now();
    }, 1_000);
    return () => clearInterval(timer);
  }, []);
  const left = Math.max(0, Math.ceil((nextTryAt - Math.max(ticking.value, Date.now())) / 1_000));
  return (
    <Banner>
      <Icon name="offline" />
      <span>
        <strong>{t.notices.offline(time(since))}</strong>{' '}
        <span aria-hidden="true">{t.notices.nextTry(left)}</span>
      </span>
      <Button size="small" onClick={() => void checkServer()}>
        {t.notices.tryNow}
      </Button>
    </Banner>
  );
}

function NewVersion() {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const wait = () => {
      clearTimeout(timer);
      if (document.hidden) timer = setTimeout(() => hasNothingToLose() && location.reload(), hiddenMs);
    };
    wait();
    document.addEventListener('visibilitychange', wait);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', wait);
    };
  }, []);
  return (
    <Banner>
      <Icon name="refresh" />
      <strong>{t.notices.newVersion}</strong>
      <Button size="small" onClick={() => location.reload()}>
        {t.notices.reload}
      </Button>
    </Banner>
  );
}

/** Returns true if no input contains text, no dialog is open, and no undo is available. */
function hasNothingToLose(): boolean {
  const typed = [...document.querySelectorAll<HTMLInputElement>('input, textarea, dialog[open]')];
  return (
    openDialogName.peek() === undefined &&
    currentNotice.peek() === undefined &&
    typed.every(
      ({ localName, type, value }) => localName !== 'dialog' && (value === '' || /radio|check/.test(type)),
    )
  );
}
