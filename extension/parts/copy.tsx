import { useEffect, useState } from 'preact/hooks';
import { Icon } from '../../dashboard/components/icon.tsx';
import { t } from '../browser/texts.ts';

const feedbackMs = 1_500;

interface CopyProps {
  readonly text: string;
  /** Accessible name. Set if there are several icon-only copy buttons. */
  readonly label?: string;
  /** Whether the text was already copied when the button appears. */
  readonly isDone?: boolean;
}

/** Button that copies text and briefly confirms the copy. The button keeps its size. */
export function Copy({ text, label, isDone: wasDone = false }: CopyProps) {
  const [isDone, setDone] = useState(wasDone);
  useEffect(() => {
    if (!isDone) return undefined;
    const timer = setTimeout(() => setDone(false), feedbackMs);
    return () => clearTimeout(timer);
  }, [isDone]);
  const copy = () => navigator.clipboard.writeText(text).then(() => setDone(true));
  const words = (name: 'copy' | 'check', isShown: boolean) => (
    <span class={isShown ? '' : 'away'} aria-hidden={!isShown}>
      <Icon name={name} />
      {label === undefined && t(name === 'copy' ? 'copy' : 'copied')}
    </span>
  );
  return (
    <>
      <button
        type="button"
        class={label === undefined ? 'button primary wide' : 'button quiet small icon-only'}
        aria-label={label}
        title={label}
        onClick={() => void copy()}
      >
        <span class="copy-words">
          {words('copy', !isDone)}
          {words('check', isDone)}
        </span>
      </button>
      <span class="unseen" role="status">
        {isDone ? t('copied') : ''}
      </span>
    </>
  );
}
