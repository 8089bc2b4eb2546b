import { useId, useState } from 'preact/hooks';
import { Button } from '../components/button.tsx';
import { CopyButton } from '../components/copy-button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { Slip } from '../components/pieces.tsx';
import { me } from '../data/session-state.ts';
import { t } from './texts.ts';
import { type Role, roles } from './types.ts';

interface RoleFieldProps {
  readonly value: Role;
  readonly onChange: (role: Role) => void;
}

/** One role of those that the reader may give, each with what it may do. */
export function RoleField({ value, onChange }: RoleFieldProps) {
  const name = useId();
  const person = me.value?.person;
  const given = roles.filter((role) => role !== 'owner' || person == null || person.role === 'owner');
  return (
    <fieldset class="plain-set">
      <legend>{t.people.role}</legend>
      {given.map((role) => (
        <label key={role} class="option role-option">
          <input type="radio" name={name} checked={role === value} onChange={() => onChange(role)} />
          <span>
            {t.people.roles[role]}
            <span class="soft block small">{t.people.mays[role]}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

interface AddressProps {
  readonly title: string;
  readonly about: string;
  readonly url: string;
  readonly onClose: () => void;
}

/** An address that is shown only now. It closes with a click only when it was copied. */
export function AddressDialog({ title, about, url, onClose }: AddressProps) {
  const [isTaken, setTaken] = useState(false);
  return (
    <Dialog
      title={title}
      width="35rem"
      class="shown-key"
      onClose={isTaken ? onClose : undefined}
      foot={
        <Button kind={isTaken ? 'primary' : 'second'} onClick={onClose}>
          {t.people.done}
        </Button>
      }
    >
      <p class="soft">{about}</p>
      <Slip>
        <p class="mono key-text">{url}</p>
        <div class="slip-tools">
          <CopyButton text={() => url} rest={{ autofocus: true }} onCopied={() => setTaken(true)} />
        </div>
      </Slip>
    </Dialog>
  );
}
