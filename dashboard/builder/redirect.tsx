import { ChoiceField } from '../components/choices.tsx';
import { t as fieldTexts } from '../fields/texts.ts';
import type { Draft } from './draft.ts';
import { t } from './texts.ts';

interface RedirectProps {
  readonly draft: Draft;
  readonly onChange: (changes: Partial<Draft>) => void;
}

const statuses = ['302', '301', '307', '308'] as const;

/** Fields for the redirect status and for forwarding query parameters. */
export function Redirect({ draft, onChange }: RedirectProps) {
  const status = statuses.find((one) => one === String(draft.redirectStatus)) ?? '302';
  const mode = draft.forwardQuery ?? 'none';
  return (
    <div class="stack part-fields">
      <ChoiceField
        label={t.redirect.status}
        values={statuses}
        names={{ 302: '302', 301: '301', 307: '307', 308: '308' }}
        value={status}
        onChange={(next) =>
          onChange({ redirectStatus: next === '302' ? null : (Number(next) as 301 | 307 | 308) })
        }
        help={fieldTexts.field.statuses[status]}
      />
      <ChoiceField
        label={fieldTexts.field.forward}
        values={['none', 'add', 'override']}
        names={fieldTexts.field.forwards}
        value={mode}
        onChange={(next) => onChange({ forwardQuery: next === 'none' ? null : next })}
        help={fieldTexts.field.forwardHelp[mode]}
      />
    </div>
  );
}
