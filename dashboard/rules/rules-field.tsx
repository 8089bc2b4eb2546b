import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Button } from '../components/button.tsx';
import { TextField } from '../components/field.tsx';
import { Icon } from '../components/icon.tsx';
import { Action } from './action.tsx';
import { Condition } from './condition.tsx';
import { addCondition, addRule, faultAt, most, moved, type RuleDraft, writeRules } from './model.ts';
import { t } from './texts.ts';
import { actionText, ownZone, whenText } from './words.ts';

interface RulesFieldProps {
  readonly rules: readonly RuleDraft[];
  /** What is wrong, by the field as the API names it. */
  readonly faults: Readonly<Record<string, string>>;
  readonly onChange: (rules: readonly RuleDraft[]) => void;
}

/** The rules of a link in their order: added, removed, moved by buttons, keys or the pointer. */
export function RulesField({ rules, faults, onChange }: RulesFieldProps) {
  const [open, setOpen] = useState<ReadonlySet<number>>(() => new Set(rules.length === 1 ? [1] : []));
  const [said, setSaid] = useState('');
  const [over, setOver] = useState<number>();
  const dragged = useRef<number | undefined>(undefined);
  const list = useRef<HTMLOListElement>(null);
  /** What gets the focus once the change is on the screen. */
  const wanted = useRef<string | undefined>(undefined);
  useLayoutEffect(() => {
    if (wanted.current === undefined) return;
    list.current?.parentElement?.querySelector<HTMLElement>(wanted.current)?.focus();
    wanted.current = undefined;
  });

  const toggle = (key: number) => {
    const next = new Set(open);
    if (!next.delete(key)) next.add(key);
    setOpen(next);
  };
  const move = (from: number, to: number, focused: string) => {
    const key = rules[from]?.key;
    const next = moved(rules, from, to);
    if (next === rules || key === undefined) return;
    wanted.current = `[data-rule="${key}"] ${focused}`;
    setSaid(t.rules.moved(to + 1));
    onChange(next);
  };
  const remove = (at: number) => {
    const left = rules.toSpliced(at, 1);
    const next = left[at] ?? left.at(-1);
    wanted.current = next === undefined ? '.add-rule' : `[data-rule="${next.key}"] .rule-toggle`;
    setSaid(t.rules.removed(at + 1));
    onChange(left);
  };
  const add = () => {
    const next = addRule(rules, ownZone);
    const made = next.at(-1);
    if (made === undefined) return;
    setOpen(new Set([...open, made.key]));
    wanted.current = `[data-rule="${made.key}"] .rule-name input`;
    onChange(next);
  };

  return (
    <div class="rules-field">
      <p class="small soft">{t.rules.about}</p>
      <ol ref={list}>
        {rules.map((rule, at) => {
          const path = `rules[${at}]`;
          const isOpen = open.has(rule.key) || faultAt(faults, path) !== undefined;
          return (
            <li
              key={rule.key}
              data-rule={rule.key}
              class={over === at ? 'rule over' : 'rule'}
              onDragOver={(event) => {
                if (dragged.current === undefined) return;
                event.preventDefault();
                setOver(at);
              }}
              onDrop={(event) => {
                event.preventDefault();
                if (dragged.current !== undefined) move(dragged.current, at, '.rule-toggle');
              }}
            >
              <div
                class="rule-head"
                draggable
                onDragStart={() => {
                  dragged.current = at;
                }}
                onDragEnd={() => {
                  dragged.current = undefined;
                  setOver(undefined);
                }}
              >
                <button
                  type="button"
                  class="rule-toggle"
                  aria-expanded={isOpen}
                  aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown"
                  title={t.rules.moveKeys}
                  onClick={() => toggle(rule.key)}
                  onKeyDown={(event) => {
                    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
                    if (by === undefined || !event.altKey) return;
                    event.preventDefault();
                    move(at, at + by, '.rule-toggle');
                  }}
                >
                  <span class="rule-number">{at + 1}</span>
                  <span class="cut">
                    <Summary rule={rule} />
                  </span>
                  <Icon name={isOpen ? 'down' : 'next'} size={14} />
                </button>
                <Button
                  kind="quiet"
                  size="small"
                  icon="arrow-up"
                  class="up"
                  label={t.rules.up(at + 1)}
                  disabledReason={at === 0 ? t.rules.isFirst : undefined}
                  onClick={() => move(at, at - 1, '.up')}
                />
                <Button
                  kind="quiet"
                  size="small"
                  icon="arrow"
                  class="down"
                  label={t.rules.down(at + 1)}
                  disabledReason={at === rules.length - 1 ? t.rules.isLast : undefined}
                  onClick={() => move(at, at + 1, '.down')}
                />
                <Button
                  kind="quiet"
                  size="small"
                  icon="bin"
                  label={t.rules.removeRule(at + 1)}
                  onClick={() => remove(at)}
                />
              </div>
              {isOpen && (
                <RuleForm
                  rule={rule}
                  path={path}
                  faults={faults}
                  onChange={(next) => onChange(rules.with(at, next))}
                />
              )}
            </li>
          );
        })}
      </ol>
      {faults['rules'] !== undefined && <p class="fault">{faults['rules']}</p>}
      <Button
        size="small"
        icon="plus"
        class="add-rule"
        disabledReason={rules.length >= most.rules ? t.rules.tooMany(most.rules) : undefined}
        onClick={add}
      >
        {t.rules.add}
      </Button>
      <p class="unseen" role="status">
        {said}
      </p>
    </div>
  );
}

/** A rule in one line: its name or its conditions, and where it leads. */
function Summary({ rule }: { readonly rule: RuleDraft }) {
  const [written] = writeRules([rule], (text) => text.trim());
  if (written === undefined) return null;
  return (
    <>
      <b>{rule.name.trim() || whenText(written.when)}</b>
      <span class="soft"> → {actionText(written.to)}</span>
    </>
  );
}

interface RuleFormProps {
  readonly rule: RuleDraft;
  readonly path: string;
  readonly faults: Readonly<Record<string, string>>;
  readonly onChange: (rule: RuleDraft) => void;
}

function RuleForm({ rule, path, faults, onChange }: RuleFormProps) {
  const { rules } = t;
  const box = useRef<HTMLDivElement>(null);
  const isAdded = useRef(false);
  useLayoutEffect(() => {
    if (!isAdded.current) return;
    isAdded.current = false;
    box.current?.querySelector<HTMLElement>('.condition:last-child select')?.focus();
  });
  return (
    <div class="rule-form" ref={box}>
      <div class="rule-name">
        <TextField
          label={rules.name}
          isOptional
          value={rule.name}
          placeholder={rules.nameHint}
          onInput={(name) => onChange({ ...rule, name })}
          error={faultAt(faults, `${path}.name`)}
          input={{ maxLength: 100, dir: 'auto' }}
        />
      </div>
      <fieldset class="plain-set">
        <legend>{rules.when}</legend>
        {rule.when.length === 0 && <p class="small soft">{rules.alwaysHelp}</p>}
        <ul>
          {rule.when.map((condition, at) => (
            <Condition
              key={condition.key}
              condition={condition}
              fault={faultAt(faults, `${path}.when[${at}]`)}
              onChange={(next) => onChange({ ...rule, when: rule.when.with(at, next) })}
              onRemove={() => onChange({ ...rule, when: rule.when.toSpliced(at, 1) })}
            />
          ))}
        </ul>
        <Button
          size="small"
          icon="plus"
          disabledReason={rule.when.length >= most.conditions ? rules.tooMany(most.conditions) : undefined}
          onClick={() => {
            isAdded.current = true;
            onChange(addCondition(rule, 'country', ownZone));
          }}
        >
          {rules.addCondition}
        </Button>
      </fieldset>
      <fieldset class="plain-set">
        <legend>{rules.thenWhat}</legend>
        <Action rule={rule} path={path} faults={faults} onChange={onChange} />
      </fieldset>
    </div>
  );
}
