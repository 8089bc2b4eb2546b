import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Button } from './button.tsx';
import { CopyButton } from './copy-button.tsx';
import { Dialog } from './dialog.tsx';
import { Slip } from './pieces.tsx';

interface ShownOnceProps {
  readonly title: string;
  /** What is shown. */
  readonly text: string;
  /** What closes the dialog. */
  readonly done: string;
  readonly onClose: () => void;
  /** What it is for. */
  readonly children: ComponentChildren;
}

/** A text that can be seen only now. The dialog closes with a click only when it was copied. */
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
