import { useState } from 'preact/hooks';
import { Dialog, DialogFoot } from '../components/dialog.tsx';
import { api } from '../data/client.ts';
import { explain } from '../data/explain.ts';
import { RoleField } from './role-field.tsx';
import { t } from './texts.ts';
import type { Member } from './types.ts';

export interface SubjectProps {
  readonly subject: Member;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** Gives a person another role. */
export function RoleDialog({ subject, onDone, onClose }: SubjectProps) {
  const [role, setRole] = useState(subject.role);
  const [fault, setFault] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const save = async () => {
    if (isBusy) return;
    setBusy(true);
    try {
      await api.updateMember(subject.id, { role });
      onDone();
    } catch (error) {
      setFault(explain(error));
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={t.people.roleOf(subject.name)}
      width="30rem"
      onClose={onClose}
      onSubmit={() => void save()}
      foot={<DialogFoot action={t.save} isBusy={isBusy} onAction={() => void save()} onCancel={onClose} />}
    >
      <div class="stack">
        <RoleField value={role} onChange={setRole} />
        <p class="small soft">{t.people.roleHelp}</p>
        {fault !== undefined && (
          <p class="fault" role="alert">
            {fault}
          </p>
        )}
      </div>
    </Dialog>
  );
}
