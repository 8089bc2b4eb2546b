import { useId } from 'preact/hooks';
import { Button } from '../components/button.tsx';
import type { Option } from '../components/combobox.tsx';
import { TextField } from '../components/field.tsx';
import { MomentField } from '../components/moment-field.tsx';
import { Select } from '../components/select.tsx';
import { Tokens } from '../components/tokens.tsx';
import { type ConditionDraft, type Fact, facts, weekdays, withFact } from './model.ts';
import { t } from './texts.ts';
import { dayName, ownZone, wordOf, wordsOf } from './words.ts';

interface ConditionProps {
  readonly condition: ConditionDraft;
  readonly fault: string | undefined;
  readonly onChange: (condition: ConditionDraft) => void;
  readonly onRemove: () => void;
}

/** Form for a condition: fact, "is" or "is not", and values. */
export function Condition({ condition, fault, onChange, onRemove }: ConditionProps) {
  const { rules } = t;
  const { fact, not } = condition;
  return (
    <li class="condition">
      <Select
        label={rules.fact}
        value={fact}
        options={facts.map((value) => ({ value, label: rules.facts[value] }))}
        onChange={(next) => onChange(withFact(condition, next, ownZone))}
      />
      <Select
        label={rules.operator}
        value={not ? 'not' : 'is'}
        options={[
          { value: 'is', label: rules.isWord },
          { value: 'not', label: rules.isNotWord },
        ]}
        onChange={(operator) => onChange({ ...condition, not: operator === 'not' })}
      />
      <Button
        kind="quiet"
        size="small"
        icon="close"
        class="remove-condition"
        label={rules.removeCondition(rules.facts[fact])}
        onClick={onRemove}
      />
      <div class="condition-value">
        <Value condition={condition} fault={fault} onChange={onChange} />
      </div>
    </li>
  );
}

type ValueProps = Pick<ConditionProps, 'condition' | 'fault' | 'onChange'>;

function Value(props: ValueProps) {
  switch (props.condition.fact) {
    case 'query':
      return <Parameter {...props} />;
    case 'date':
      return <Dates {...props} />;
    case 'time':
      return <Times {...props} />;
    default:
      return <Values {...props} />;
  }
}

/** Field for a fact's values. Suggests known values, and accepts any text if the fact allows it. */
function Values({ condition, fault, onChange }: ValueProps) {
  const { fact, values } = condition;
  const id = useId();
  const label = t.rules.facts[fact];
  return (
    <div class="field">
      <label class="unseen" for={id}>
        {label}
      </label>
      <Tokens
        id={id}
        label={label}
        value={values}
        placeholder={t.rules.hints[fact]}
        isInvalid={fault !== undefined}
        describedBy={fault === undefined ? undefined : `${id}-error`}
        labelOf={(value) => wordOf(fact, value)}
        options={optionsFor(fact)}
        readText={(text) => readText(fact, text)}
        onChange={(next) => onChange({ ...condition, values: next })}
      />
      <Fault id={id} fault={fault} />
      {fact === 'language' && <p class="small soft">{t.rules.negotiation}</p>}
    </div>
  );
}

function Fault({ id, fault }: { readonly id: string; readonly fault: string | undefined }) {
  if (fault === undefined) return null;
  return (
    <p class="error" id={`${id}-error`}>
      {fault}
    </p>
  );
}

function optionsFor(fact: Fact): Option[] {
  const hasCode = fact === 'country' || fact === 'language';
  return wordsOf(fact).map(({ value, label }) => ({
    value,
    label,
    words: [value],
    ...(hasCode && { aside: value }),
  }));
}

/** Converts typed text to a value. Returns undefined if the text is invalid. */
function readText(fact: Fact, text: string): string | undefined {
  const typed = text.trim();
  const wanted = typed.toLowerCase();
  switch (fact) {
    case 'referrer':
      return wanted.replace(/^https?:\/\//, '').replace(/[/?#].*$/, '');
    case 'language':
    case 'region':
    case 'query':
      return typed;
    case 'country':
      // Accept a country code without a known name. The server decides whether the code is valid.
      return /^[a-z]{2}$/.test(wanted) ? typed.toUpperCase() : undefined;
    default:
      return undefined;
  }
}

function Parameter({ condition, fault, onChange }: ValueProps) {
  const id = useId();
  const { name, values } = condition;
  return (
    <div class="two">
      <TextField
        label={t.rules.parameter}
        value={name}
        placeholder={t.rules.parameterHint}
        onInput={(next) => onChange({ ...condition, name: next.trim() })}
        error={fault}
        input={{ maxLength: 255, autocapitalize: 'off' }}
      />
      <div class="field">
        <div class="head">
          <label for={id}>{t.rules.value}</label>
          <span class="aside">{t.optional}</span>
        </div>
        <Tokens
          id={id}
          label={t.rules.facts.query}
          value={values}
          placeholder={t.rules.hints['query']}
          labelOf={(value) => value}
          options={[]}
          readText={(text) => text.trim()}
          onChange={(next) => onChange({ ...condition, values: next })}
        />
      </div>
    </div>
  );
}

function Dates({ condition, fault, onChange }: ValueProps) {
  const bound = (name: 'from' | 'to', label: string, error: string | undefined) => (
    <MomentField
      label={label}
      isOptional
      value={condition[name] === '' ? null : condition[name]}
      onChange={(value) => onChange({ ...condition, [name]: value ?? '' })}
      error={error}
    />
  );
  return (
    <div class="two">
      {bound('from', t.rules.fromLabel, undefined)}
      {bound('to', t.rules.untilLabel, fault)}
    </div>
  );
}

function Times({ condition, fault, onChange }: ValueProps) {
  const { days, zone } = condition;
  const id = useId();
  const zones = [...new Set(['UTC', zone, ...Intl.supportedValuesOf('timeZone')])];
  const hour = (name: 'from' | 'to', label: string) => (
    <TextField
      label={label}
      isOptional
      // Show 24:00 as an empty value, because time inputs do not support 24:00.
      value={condition[name] === '24:00' ? '' : condition[name]}
      onInput={(value) => onChange({ ...condition, [name]: value })}
      input={{ type: 'time' }}
    />
  );
  return (
    <div class="stack">
      <fieldset class="plain-set days" aria-describedby={fault === undefined ? undefined : `${id}-error`}>
        <legend>{t.rules.days}</legend>
        {weekdays.map((day) => (
          <label key={day} class="option">
            <input
              type="checkbox"
              class="check"
              checked={days.includes(day)}
              onChange={(event) =>
                onChange({
                  ...condition,
                  days: weekdays.filter((one) =>
                    one === day ? event.currentTarget.checked : days.includes(one),
                  ),
                })
              }
            />
            {dayName(day)}
          </label>
        ))}
      </fieldset>
      <div class="two three">
        {hour('from', t.rules.fromLabel)}
        {hour('to', t.rules.untilLabel)}
        <div class="field">
          <div class="head">
            <label for={`${id}-zone`}>{t.rules.zone}</label>
          </div>
          <Select
            id={`${id}-zone`}
            value={zone}
            options={zones.map((one) => ({ value: one, label: one.replaceAll('_', ' ') }))}
            onChange={(next) => onChange({ ...condition, zone: next })}
          />
        </div>
      </div>
      <Fault id={id} fault={fault} />
    </div>
  );
}
