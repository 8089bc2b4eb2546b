import type { ComponentChildren } from 'preact';
import { Fault, useAsk } from './ask.tsx';
import { Dialog, DialogFoot } from './dialog.tsx';

interface AskDialogProps {
  readonly title: string;
  /** What the dialog is for. */
  readonly action: string;
  /** Whether it cannot be undone: no keys do it then but those of its button. */
  readonly isDanger?: boolean;
  readonly onAct: () => Promise<unknown>;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** A dialog that asks something of the server, and says in itself why it was refused. */
export function AskDialog({ title, action, isDanger = false, onAct, onClose, children }: AskDialogProps) {
  const { isBusy, fault, ask } = useAsk();
  const act = () => void ask(onAct);
  const danger = isDanger ? ({ kind: 'danger', keys: null } as const) : {};
  return (
    <Dialog
      title={title}
      width="30rem"
      onClose={onClose}
      onSubmit={act}
      foot={<DialogFoot action={action} isBusy={isBusy} onAction={act} onCancel={onClose} {...danger} />}
    >
      <div class="stack">
        {children}
        <Fault text={fault} />
      </div>
    </Dialog>
  );
}
