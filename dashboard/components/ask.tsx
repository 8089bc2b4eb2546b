import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { explain } from '../data/explain.ts';
import { Dialog, DialogFoot } from './dialog.tsx';

/**
 * What asks something of the server, once at a time, and says why it was refused. It stays busy after that was done: what asked
 * goes away then.
 */
export function useAsk(why: (error: unknown) => string = explain) {
  const [isBusy, setBusy] = useState(false);
  const [fault, setFault] = useState<string>();
  const ask = async (work: () => Promise<unknown>) => {
    if (isBusy) return;
    setBusy(true);
    try {
      await work();
    } catch (error) {
      setFault(why(error));
      setBusy(false);
    }
  };
  return { isBusy, fault, setFault, ask };
}

/** Why something was not done, if it was not. */
export function Fault({ text }: { readonly text: string | undefined }) {
  if (text === undefined) return null;
  return (
    <p class="fault" role="alert">
      {text}
    </p>
  );
}

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
