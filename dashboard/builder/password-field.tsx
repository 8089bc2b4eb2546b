import { useState } from 'preact/hooks';
import { Button } from '../components/button.tsx';
import { TextField } from '../components/field.tsx';
import type { Draft } from './draft.ts';
import { t } from './texts.ts';

interface PasswordFieldProps {
  readonly password: Draft['password'];
  /** Whether the link has a password. The server never returns the password itself. */
  readonly isKept: boolean;
  readonly error: string | undefined;
  readonly onChange: (password: Draft['password']) => void;
}

const kinds = [{ type: 'password' }, { type: 'text' }] as const;

/** Field for the password that visitors must enter. */
export function PasswordField({ password, isKept, error, onChange }: PasswordFieldProps) {
  const [isShown, setShown] = useState(false);
  const texts = t.password;
  const isRemoved = isKept && password === '';
  return (
    <div class="stack part-fields">
      <TextField
        label={isKept ? texts.another : texts.part}
        value={password ?? ''}
        placeholder={password === null ? texts.kept : ''}
        help={isRemoved ? texts.removed : texts.help}
        error={error}
        onInput={(text) => onChange(text === '' && isKept ? null : text)}
        aside={
          <Button kind="quiet" size="small" onClick={() => setShown(!isShown)}>
            {isShown ? texts.hide : texts.show}
          </Button>
        }
        input={{ ...kinds[isShown ? 1 : 0], autocomplete: 'new-password', maxLength: 256 }}
      />
      {isKept && (
        <div>
          <Button size="small" onClick={() => onChange(isRemoved ? null : '')}>
            {isRemoved ? texts.keep : texts.remove}
          </Button>
        </div>
      )}
    </div>
  );
}
