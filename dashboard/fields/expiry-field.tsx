import { useState } from 'preact/hooks';
import { Segmented } from '../components/choices.tsx';
import { MomentField } from '../components/moment-field.tsx';
import { dateAndTime } from '../texts/format.ts';
import { presetMoment } from './expiry.ts';
import { t } from './texts.ts';

type Preset = 'none' | 'tonight' | 'week' | 'month' | 'date';

interface ExpiryProps {
  /** ISO; null for never. */
  readonly value: string | null;
  readonly error?: string | undefined;
  readonly onChange: (value: string | null) => void;
}

/** When a link ends: one of the usual moments, or any other, in the reader's zone. */
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
      <div class="field">
        <div class="head">
          <span class="name">{t.field.expiry}</span>
        </div>
        <div class="scroll-sideways">
          <Segmented
            label={t.field.expiry}
            value={preset}
            options={(['none', 'tonight', 'week', 'month', 'date'] as const).map((each) => ({
              value: each,
              label: t.field.expiryPresets[each],
            }))}
            onChange={choose}
          />
        </div>
        {value !== null && preset !== 'date' && <p class="help">{dateAndTime(value)}</p>}
      </div>
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
