import { useState } from 'preact/hooks';
import type { LinkRule, SimulateInput, Simulation } from '../../src/client/client.ts';
import { Field, TextField } from '../components/field.tsx';
import { Icon } from '../components/icon.tsx';
import { MomentField } from '../components/moment-field.tsx';
import { Select } from '../components/select.tsx';
import { explain } from '../data/explain.ts';
import { useSimulation } from '../data/simulation.ts';
import type { Fact } from './model.ts';
import { t } from './texts.ts';
import { plainVisit, type VisitDraft, writeVisit } from './visit.ts';
import { conditionText, wordOf, wordsOf } from './words.ts';

interface TryItProps {
  /** Undefined for a new link. */
  readonly linkId: string | undefined;
  /** The link's fields. Undefined while required fields are missing. */
  readonly link: SimulateInput | Omit<SimulateInput, 'url'> | undefined;
  readonly rules: readonly LinkRule[];
}

/** Form that simulates a visit. Shows the redirect target, and why it was chosen. */
export function TryIt({ linkId, link, rules }: TryItProps) {
  const [visit, setVisit] = useState(plainVisit);
  const input = link === undefined ? undefined : { ...link, visit: writeVisit(visit) };
  const tried = useSimulation(input, linkId, rules);
  const hasSplit = rules.some(({ to }) => 'split' in to);
  return (
    <section class="try-it" aria-label={t.tryIt.title}>
      <h3>{t.tryIt.title}</h3>
      <p class="small soft">{t.tryIt.about}</p>
      <Visit visit={visit} hasSplit={hasSplit} onChange={setVisit} />
      <div role="status">
        {input === undefined ? (
          <p class="small soft">{t.tryIt.unfinished}</p>
        ) : tried?.error !== undefined ? (
          <p class="fault">{explain(tried.error)}</p>
        ) : (
          tried?.answer !== undefined && <Outcome answer={tried.answer} />
        )}
      </div>
      {tried?.answer !== undefined && <Why answer={tried.answer} rules={tried.of} />}
    </section>
  );
}

interface VisitProps {
  readonly visit: VisitDraft;
  readonly hasSplit: boolean;
  readonly onChange: (visit: VisitDraft) => void;
}

function Visit({ visit, hasSplit, onChange }: VisitProps) {
  const { tryIt, rules } = t;
  const choice = (name: 'country' | 'device' | 'os' | 'browser' | 'class') => (
    <Field id={`try-${name}`} label={rules.facts[name]}>
      <Select
        id={`try-${name}`}
        value={visit[name]}
        options={optionsFor(name)}
        onChange={(value) => onChange({ ...visit, [name]: value })}
      />
    </Field>
  );
  const text = (name: 'languages' | 'referrer' | 'query', placeholder: string) => (
    <TextField
      label={tryIt[name]}
      value={visit[name]}
      placeholder={placeholder}
      onInput={(value) => onChange({ ...visit, [name]: value })}
      input={{ autocapitalize: 'off', maxLength: 1_024 }}
    />
  );
  return (
    <div class="visit">
      {choice('country')}
      {choice('device')}
      {choice('os')}
      {choice('browser')}
      {text('languages', tryIt.languagesHint)}
      {text('referrer', rules.hints['referrer'] ?? '')}
      {text('query', tryIt.queryHint)}
      {choice('class')}
      <MomentField
        label={tryIt.at}
        aside={visit.at === null ? tryIt.now : undefined}
        value={visit.at}
        onChange={(at) => onChange({ ...visit, at })}
      />
      {hasSplit && (
        <TextField
          label={tryIt.visitor}
          value={visit.visitor}
          placeholder="0"
          help={tryIt.visitorHelp}
          onInput={(visitor) => onChange({ ...visit, visitor })}
          input={{ type: 'number', inputMode: 'numeric', min: 0, step: 1 }}
        />
      )}
    </div>
  );
}

/**
 * Returns the options for a fact. The first option is "unknown", except for the visitor class, which is always known.
 */
function optionsFor<N extends Fact>(name: N) {
  const words = wordsOf(name).filter(({ value }) => value !== '');
  return name === 'class' ? words : [{ value: '', label: t.tryIt.unknown }, ...words];
}

/** Describes the result of a simulated visit, with the target URL. */
function Outcome({ answer }: { readonly answer: Simulation }) {
  const { tryIt } = t;
  const { outcome, location, status, rule, variant, language } = answer;
  const why = [
    ...(rule === null
      ? [answer.rules.length > 0 && outcome === 'redirect' ? tryIt.none : undefined]
      : [tryIt.winner(rule + 1)]),
    ...(variant === null ? [] : [tryIt.way(variant + 1)]),
    location === null ? undefined : tryIt.sentAfter[outcome],
  ].filter((part) => part !== undefined);
  return (
    <div class="outcome">
      <p class="small soft">
        {location === null || outcome === 'app' ? tryIt.outcomes[outcome] : tryIt.goes}{' '}
        <span class="status">{status}</span>
      </p>
      {location !== null && <p class="mono">{location}</p>}
      {why.length > 0 && <p class="winner">{why.join(' ')}</p>}
      {language !== null && <p class="small soft">{languageText(language)}</p>}
    </div>
  );
}

function languageText({ chosen, range, reason }: NonNullable<Simulation['language']>): string {
  return t.tryIt.language[reason](wordOf('language', chosen ?? ''), range ?? '');
}

/** Explains why each rule matches or does not match. */
function Why({ answer, rules }: { readonly answer: Simulation; readonly rules: readonly LinkRule[] }) {
  if (answer.rules.length === 0) return null;
  return (
    <ol class="why">
      {answer.rules.map(({ name, holds, conditions }, at) => {
        const when = rules[at]?.when ?? [];
        return (
          <li key={at} class={at === answer.rule ? 'wins' : ''}>
            <p>
              <span class="rule-number">{at + 1}</span>
              <b>{name ?? t.rules.rule(at + 1)}</b> <span class="soft">{reason(answer, at, holds)}</span>
            </p>
            <ul>
              {conditions.map((condition, place) => {
                const asked = when[place];
                return (
                  <li key={place} class={condition.holds ? 'holds' : 'fails'}>
                    <Icon name={condition.holds ? 'check' : 'close'} size={13} />
                    {asked === undefined ? condition.fact : conditionText(asked)}
                    <span class="unseen">: {condition.holds ? t.tryIt.holds : t.tryIt.fails}</span>
                  </li>
                );
              })}
            </ul>
          </li>
        );
      })}
    </ol>
  );
}

function reason({ rule }: Simulation, at: number, holds: boolean): string {
  const { tryIt } = t;
  if (at === rule) return tryIt.wins;
  if (!holds) return tryIt.fails;
  return rule === null ? tryIt.notAsked : tryIt.behind(rule + 1);
}
