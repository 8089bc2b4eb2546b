import { Check } from '../components/choices.tsx';
import { TextField } from '../components/field.tsx';
import type { Draft } from './draft.ts';
import type { Faults } from './save.ts';
import { t } from './texts.ts';

interface MakingProps {
  readonly draft: Draft;
  readonly faults: Faults;
  readonly onChange: (changes: Partial<Draft>) => void;
}

/** Options for a new link: how its code is generated, and whether another link may have the same destination. */
export function Making({ draft, faults, onChange }: MakingProps) {
  const { making } = t;
  return (
    <div class="stack part-fields">
      {draft.customCode.trim() === '' ? (
        <>
          <TextField
            label={making.prefix}
            isOptional
            value={draft.prefix}
            error={faults.prefix}
            onInput={(prefix) => onChange({ prefix })}
            input={{ maxLength: 80, autocapitalize: 'off' }}
          />
          <TextField
            label={making.length}
            isOptional
            value={draft.length}
            placeholder="8"
            help={making.lengthHelp}
            error={faults.length}
            onInput={(length) => onChange({ length })}
            input={{ inputMode: 'numeric', maxLength: 2 }}
          />
        </>
      ) : (
        <p class="small soft">{making.isGiven}</p>
      )}
      <Check
        isSwitch
        isOn={draft.ifExists === 'fail'}
        onChange={(isOn) => onChange({ ifExists: isOn ? 'fail' : null })}
      >
        {making.isOnly}
      </Check>
    </div>
  );
}
