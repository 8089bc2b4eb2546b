import { useId } from 'preact/hooks';
import { me } from '../data/session-state.ts';
import { t } from './texts.ts';
import { type Role, roles } from './types.ts';

interface RoleFieldProps {
  readonly value: Role;
  readonly onChange: (role: Role) => void;
}

/** Field that selects a role, with explanations. Offers only roles that the user may assign. */
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
            {t.roles[role]}
            <span class="soft block small">{t.people.mays[role]}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
