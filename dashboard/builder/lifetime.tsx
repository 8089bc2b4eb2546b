import { Check } from '../components/choices.tsx';
import { TextField } from '../components/field.tsx';
import { MomentField } from '../components/moment-field.tsx';
import { me } from '../data/session-state.ts';
import { ExpiryField } from '../fields/expiry-field.tsx';
import { t as fieldTexts } from '../fields/texts.ts';
import type { Draft } from './draft.ts';
import type { Faults } from './save.ts';
import { t } from './texts.ts';

interface LifetimeProps {
  readonly draft: Draft;
  readonly faults: Faults;
  readonly onChange: (changes: Partial<Draft>) => void;
}

/** Fields for a link's start and expiry, and the redirect URL after expiry. */
export function Lifetime({ draft, faults, onChange }: LifetimeProps) {
  const days = me.value?.limits.linkLifetimeDays ?? null;
  const { limits } = t;
  return (
    <div class="stack part-fields">
      {days === null ? (
        <ExpiryField
          value={draft.expiresAt}
          error={faults.expiresAt}
          onChange={(expiresAt) => onChange({ expiresAt })}
        />
      ) : (
        <p class="small soft">{t.builder.expiryFixed(days)}</p>
      )}
      <MomentField
        label={limits.startsAt}
        isOptional
        value={draft.startsAt}
        help={limits.startsHelp}
        error={faults.startsAt}
        onChange={(startsAt) => onChange({ startsAt })}
      />
      <TextField
        label={limits.maxClicks}
        isOptional
        value={draft.maxClicks}
        placeholder={limits.maxClicksHint}
        help={draft.maxClicks.trim() === '1' ? limits.onceHelp : limits.maxClicksHelp}
        error={faults.maxClicks}
        onInput={(maxClicks) => onChange({ maxClicks })}
        input={{ inputMode: 'numeric', maxLength: 10 }}
      />
      <TextField
        label={fieldTexts.field.expiredUrl}
        isOptional
        value={draft.expiredUrl}
        placeholder={fieldTexts.field.addressHint}
        help={limits.expiredUrlHelp}
        error={faults.expiredUrl}
        onInput={(expiredUrl) => onChange({ expiredUrl })}
        input={{ type: 'url', inputMode: 'url', maxLength: 8_192 }}
      />
      <div>
        <Check isSwitch isOn={draft.disabled} onChange={(disabled) => onChange({ disabled })}>
          {limits.disabled}
        </Check>
        <p class="small soft">{limits.disabledHelp}</p>
      </div>
    </div>
  );
}
