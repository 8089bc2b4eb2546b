import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Button } from './button.tsx';
import { CopyButton } from './copy-button.tsx';
import { Dialog } from './dialog.tsx';
import { Slip } from './pieces.tsx';

interface ShownOnceProps {
  readonly title: string;
  /** The secret to show. */
  readonly text: string;
  /** Label of the close button. */
  readonly done: string;
  readonly onClose: () => void;
  /** Content above the secret. */
  readonly children: ComponentChildren;
}

/** Dialog that shows a secret, which cannot be shown again. Esc and the close icon work only after copying. */
export function ShownOnce({ title, text, done, onClose, children }: ShownOnceProps) {
  const [isTaken, setTaken] = useState(false);
  return (
    <Dialog
      title={title}
      width="35rem"
      class="shown-key"
      onClose={isTaken ? onClose : undefined}
      foot={
        <Button kind={isTaken ? 'primary' : 'second'} onClick={onClose}>
          {done}
        </Button>
      }
    >
      {children}
      <Slip>
        <p class="mono key-text">{text}</p>
        <div class="slip-tools">
          <CopyButton text={() => text} rest={{ autofocus: true }} onCopied={() => setTaken(true)} />
        </div>
      </Slip>
    </Dialog>
  );
}
