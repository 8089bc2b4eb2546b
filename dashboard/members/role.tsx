import { useState } from 'preact/hooks';
import { AskDialog } from '../components/ask-dialog.tsx';
import { api } from '../data/client.ts';
import { RoleField } from './role-field.tsx';
import { t } from './texts.ts';
import type { Member } from './types.ts';

export interface SubjectProps {
  readonly subject: Member;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** Dialog that changes a member's role. */
export function RoleDialog({ subject, onDone, onClose }: SubjectProps) {
  const [role, setRole] = useState(subject.role);
  const save = async () => {
    await api.updateMember(subject.id, { role });
    onDone();
  };
  return (
    <AskDialog title={t.people.roleOf(subject.name)} action={t.save} onAct={save} onClose={onClose}>
      <RoleField value={role} onChange={setRole} />
      <p class="small soft">{t.people.roleHelp}</p>
    </AskDialog>
  );
}
