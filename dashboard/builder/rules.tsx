import { useState } from 'preact/hooks';
import { Button } from '../components/button.tsx';
import { normalUrl } from '../data/links/addresses.ts';
import { faultsOf, writeRules } from '../rules/model.ts';
import { RulesField } from '../rules/rules-field.tsx';
import { t as ruleTexts } from '../rules/texts.ts';
import { TryIt } from '../rules/try-it.tsx';

import { changesBetween, type Draft, decidingFields } from './draft.ts';
import type { Faults } from './save.ts';

interface RulesProps {
  /** Undefined for a new link. */
  readonly linkId: string | undefined;
  readonly draft: Draft;
  readonly start: Draft;
  readonly faults: Faults;
  readonly onChange: (changes: Partial<Draft>) => void;
}

/** Form for redirect rules, with a simulated visit to test the rules. */
export function Rules({ linkId, draft, start, faults, onChange }: RulesProps) {
  const [isTrying, setTrying] = useState(false);
  const { rules } = draft;
  return (
    <section class="part-fields" aria-label={ruleTexts.rules.title}>
      <div class="part-head">
        <h3>{ruleTexts.rules.title}</h3>
        <Button
          size="small"
          icon="help"
          rest={{ 'aria-expanded': isTrying }}
          onClick={() => setTrying(!isTrying)}
        >
          {ruleTexts.tryIt.title}
        </Button>
      </div>
      <RulesField rules={rules} faults={faults.rules ?? {}} onChange={(next) => onChange({ rules: next })} />
      {isTrying && (
        <TryIt
          linkId={linkId}
          link={linkToTry(linkId !== undefined, start, draft)}
          rules={writeRules(rules, (text) => text)}
        />
      )}
    </section>
  );
}

/**
 * Returns the fields that affect redirects. For an existing link, returns only those that changed. Returns undefined
 * while the URL or a rule is incomplete.
 */
function linkToTry(isThere: boolean, start: Draft, draft: Draft) {
  const url = normalUrl(draft.url);
  const isFinished =
    url !== undefined && faultsOf(draft.rules, (text) => normalUrl(text) !== undefined).size === 0;
  if (!isFinished) return undefined;
  const language = draft.plain['language']?.trim() || null;
  if (!isThere) return { url, language, ...decidingFields(draft) };
  const decide = new Set([...Object.keys(decidingFields(draft)), 'language', 'password']);
  const changes = Object.fromEntries(
    Object.entries(changesBetween(start, draft)).filter(([name]) => decide.has(name)),
  ) as Partial<ReturnType<typeof decidingFields>>;
  return url === normalUrl(start.url) ? changes : { url, ...changes };
}
