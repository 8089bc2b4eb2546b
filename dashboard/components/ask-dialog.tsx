import type { ComponentChildren } from 'preact';
import { Fault, useAsk } from './ask.tsx';
import { Dialog, DialogFoot } from './dialog.tsx';

interface AskDialogProps {
  readonly title: string;
  /** Label of the main button. */
  readonly action: string;
  /** Whether the action cannot be undone. Such actions have no shortcut, so the user must press the button. */
  readonly isDanger?: boolean;
  readonly onAct: () => Promise<unknown>;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** Confirmation dialog that sends a request and shows its error. */
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
