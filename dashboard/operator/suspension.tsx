import { AskDialog } from '../components/ask-dialog.tsx';
import { api } from '../data/client.ts';
import { notify } from '../data/undo.ts';
import type { Account } from './operator.tsx';
import { t } from './texts.ts';

interface SuspensionProps {
  readonly subject: Account;
  readonly onDone: (changed: Account) => void;
  readonly onClose: () => void;
}

/** Dialog that suspends or resumes an account. Shows the effect on the account's links before confirmation. */
export function SuspensionDialog({ subject: { name, suspendedAt }, onDone, onClose }: SuspensionProps) {
  if (suspendedAt === null) {
    const suspend = async () => {
      const changed = await api.suspendAccount({ account: name });
      notify(t.operator.suspendDone(name));
      onDone(changed);
    };
    return (
      <AskDialog
        title={t.operator.suspendTitle(name)}
        action={t.operator.suspend}
        isDanger
        onAct={suspend}
        onClose={onClose}
      >
        <p>{t.operator.linksGoOn}</p>
        <p class="soft">{t.operator.stops}</p>
        <p class="soft">{t.operator.undo}</p>
      </AskDialog>
    );
  }
  const resume = async () => {
    const changed = await api.resumeAccount({ account: name });
    notify(t.operator.resumeDone(name));
    onDone(changed);
  };
  return (
    <AskDialog
      title={t.operator.resumeTitle(name)}
      action={t.operator.resume}
      onAct={resume}
      onClose={onClose}
    >
      <p class="soft">{t.operator.resumeHelp}</p>
    </AskDialog>
  );
}
