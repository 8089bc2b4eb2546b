import { useState } from 'preact/hooks';
import { useAsk } from '../components/ask.tsx';
import { Dialog, DialogFoot } from '../components/dialog.tsx';
import { TextField } from '../components/field.tsx';
import { api } from '../data/client.ts';
import { RestrictionFields, type Restrictions, restrictionsInput } from '../fields/restrictions.tsx';
import { AddressDialog, language, type Mailed } from './link-dialog.tsx';
import { RoleField } from './role-field.tsx';
import { t } from './texts.ts';
import type { Role } from './types.ts';

interface InviteProps {
  readonly sendsMail: boolean;
  readonly onCreated: () => void;
  readonly onClose: () => void;
}

/** Dialog that asks for a role and then shows the invitation link. */
export function InviteDialog({ sendsMail, onCreated, onClose }: InviteProps) {
  const [role, setRole] = useState<Role>('editor');
  const [email, setEmail] = useState('');
  const [restrictions, setRestrictions] = useState<Restrictions>({ domains: [], folders: [] });
  const canBind = role === 'editor' || role === 'viewer';
  const { isBusy, fault, setFault, ask } = useAsk();
  const [made, setMade] = useState<{ readonly url: string; readonly mailed: Mailed }>();
  const make = () =>
    void ask(async () => {
      const given = email.trim();
      const { url, mailed } = await api.createInvitation({
        role,
        ...(given !== '' && { email: given, language: language() }),
        ...(canBind && restrictionsInput(restrictions)),
      });
      setMade({ url, mailed: { to: given, isSent: mailed } });
      onCreated();
    });
  if (made !== undefined)
    return (
      <AddressDialog title={t.people.invitedTitle} about={t.people.invited} {...made} onClose={onClose} />
    );
  return (
    <Dialog
      title={t.people.inviteTitle}
      width="30rem"
      onClose={onClose}
      onSubmit={make}
      foot={<DialogFoot action={t.people.makeLink} isBusy={isBusy} onAction={make} onCancel={onClose} />}
    >
      <div class="stack">
        <RoleField value={role} onChange={setRole} />
        {canBind && <RestrictionFields value={restrictions} onChange={setRestrictions} />}
        <TextField
          label={t.people.email}
          isOptional
          value={email}
          onInput={(value) => {
            setEmail(value);
            setFault(undefined);
          }}
          help={sendsMail ? t.people.emailMailed : t.people.emailHelp}
          error={fault}
          input={{ type: 'email', maxLength: 254 }}
        />
      </div>
    </Dialog>
  );
}
