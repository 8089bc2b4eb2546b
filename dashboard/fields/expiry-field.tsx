import { useState } from 'preact/hooks';
import { ChoiceField } from '../components/choices.tsx';
import { MomentField } from '../components/moment-field.tsx';
import { dateAndTime } from '../texts/format.ts';
import { presetMoment } from './expiry.ts';
import { t } from './texts.ts';

type Preset = 'none' | 'tonight' | 'week' | 'month' | 'date';

interface ExpiryProps {
  /** ISO 8601 in UTC. Null if the link does not expire. */
  readonly value: string | null;
  readonly error?: string | undefined;
  readonly onChange: (value: string | null) => void;
}

/** Expiry picker: presets, or any date and time in the user's time zone. */
export function ExpiryField({ value, error, onChange }: ExpiryProps) {
  const [preset, setPreset] = useState<Preset>(() => presetOf(value));
  const isPast = value !== null && Date.parse(value) <= Date.now();
  const choose = (next: Preset) => {
    setPreset(next);
    if (next === 'none') onChange(null);
    else if (next === 'date') onChange(value ?? presetMoment('week', new Date()).toISOString());
    else onChange(presetMoment(next, new Date()).toISOString());
  };
  return (
    <div class="stack">
      <ChoiceField
        label={t.field.expiry}
        values={['none', 'tonight', 'week', 'month', 'date']}
        names={t.field.expiryPresets}
        value={preset}
        onChange={choose}
        help={value !== null && preset !== 'date' ? dateAndTime(value) : undefined}
      />
      {preset === 'date' && (
        <MomentField
          label={t.field.expiryDate}
          value={value}
          onChange={onChange}
          error={isPast ? t.field.expiryWrong : error}
        />
      )}
    </div>
  );
}

function presetOf(value: string | null): Preset {
  if (value === null) return 'none';
  const found = (['tonight', 'week', 'month'] as const).find(
    (preset) => presetMoment(preset, new Date()).toISOString() === value,
  );
  return found ?? 'date';
}
