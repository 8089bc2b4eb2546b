import { Segmented } from '../components/choices.tsx';
import { t as fieldTexts } from '../fields/texts.ts';
import type { Draft } from './draft.ts';
import { t } from './texts.ts';

interface RedirectProps {
  readonly draft: Draft;
  readonly onChange: (changes: Partial<Draft>) => void;
}

const statuses = ['302', '301', '307', '308'] as const;
const modes = ['none', 'add', 'override'] as const;

/** How visitors are sent on, and what becomes of the parameters they bring. */
export function Redirect({ draft, onChange }: RedirectProps) {
  const { redirect } = t;
  const status = statuses.find((one) => one === String(draft.redirectStatus)) ?? '302';
  const mode = draft.forwardQuery ?? 'none';
  return (
    <div class="stack part-fields">
      <div class="field">
        <div class="head">
          <span class="name">{redirect.status}</span>
        </div>
        <Segmented
          label={redirect.status}
          value={status}
          options={statuses.map((value) => ({ value, label: value }))}
          onChange={(next) =>
            onChange({ redirectStatus: next === '302' ? null : (Number(next) as 301 | 307 | 308) })
          }
        />
        <p class="help">{fieldTexts.field.statuses[status]}</p>
      </div>
      <div class="field">
        <div class="head">
          <span class="name">{fieldTexts.field.forward}</span>
        </div>
        <Segmented
          label={fieldTexts.field.forward}
          value={mode}
          options={modes.map((value) => ({ value, label: fieldTexts.field.forwards[value] }))}
          onChange={(next) => onChange({ forwardQuery: next === 'none' ? null : next })}
        />
        <p class="help">{fieldTexts.field.forwardHelp[mode]}</p>
      </div>
    </div>
  );
}
