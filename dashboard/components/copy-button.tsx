import { useEffect, useState } from 'preact/hooks';
import { announce } from '../browser/announce.ts';
import { copyText } from '../browser/clipboard.ts';
import { t } from '../texts/texts.ts';

import { Button, type ButtonProps } from './button.tsx';
import { Icon } from './icon.tsx';

const feedbackMs = 1_500;

interface CopyProps extends Omit<ButtonProps, 'onClick' | 'icon' | 'children'> {
  readonly text: () => string;
  readonly children?: string;
  readonly onCopied?: () => void;
}

/** Button that copies text and briefly shows "Copied". The button keeps its size. */
export function CopyButton({ text, children = t.copy, onCopied, ...button }: CopyProps) {
  const [isDone, setDone] = useState(false);
  useEffect(() => {
    if (!isDone) return undefined;
    const timer = setTimeout(() => setDone(false), feedbackMs);
    return () => clearTimeout(timer);
  }, [isDone]);
  return (
    <Button
      {...button}
      onClick={async () => {
        if (!(await copyText(text()))) return;
        setDone(true);
        announce(t.copied);
        onCopied?.();
      }}
    >
      <span class="copy-words">
        <span class={isDone ? 'away' : ''} aria-hidden={isDone}>
          <Icon name="copy" />
          {children}
        </span>
        <span class={isDone ? '' : 'away'} aria-hidden={!isDone}>
          <Icon name="check" />
          {t.copied}
        </span>
      </span>
    </Button>
  );
}
