import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Button } from '../components/button.tsx';
import { TextField } from '../components/field.tsx';
import { Icon } from '../components/icon.tsx';
import { Action } from './action.tsx';
import { Condition } from './condition.tsx';
import {
  addCondition,
  addRule,
  asksLanguage,
  faultAt,
  most,
  moved,
  type RuleDraft,
  writeRules,
} from './model.ts';
import { t } from './texts.ts';
import { actionText, ownZone, whenText } from './words.ts';

interface RulesFieldProps {
  readonly rules: readonly RuleDraft[];
  /** Errors by API field. */
  readonly faults: Readonly<Record<string, string>>;
  readonly onChange: (rules: readonly RuleDraft[]) => void;
}

/** Form for redirect rules: add, remove, and reorder by button, keyboard or pointer. */
export function RulesField({ rules, faults, onChange }: RulesFieldProps) {
  const [open, setOpen] = useState<ReadonlySet<number>>(() => new Set(rules.length === 1 ? [1] : []));
  const [status, setStatus] = useState('');
  const list = useRef<HTMLOListElement>(null);
  /** Selector for the element to focus after the next render. */
  const wanted = useRef<string | undefined>(undefined);
  useLayoutEffect(() => {
    if (wanted.current === undefined) return;
    const found = list.current?.parentElement?.querySelector<HTMLElement>(wanted.current);
    found?.closest('.rule')?.scrollIntoView({ block: 'nearest' });
    found?.focus();
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
    setStatus(t.rules.moved(to + 1));
    onChange(next);
  };
  const remove = (at: number) => {
    const left = rules.toSpliced(at, 1);
    const next = left[at] ?? left.at(-1);
    wanted.current = next === undefined ? '.add-rule' : `[data-rule="${next.key}"] .rule-toggle`;
    setStatus(t.rules.removed(at + 1));
    onChange(left);
  };
  const add = () => {
    const next = addRule(rules, ownZone);
    const made = next.at(-1);
    if (made === undefined) return;
    setOpen(new Set([...open, made.key]));
    wanted.current = `[data-rule="${made.key}"] .condition-value input`;
    onChange(next);
  };

  const drag = useDragging((from, to) => move(from, to, '.rule-toggle'));
  return (
    <div class="rules-field">
      <p class="small soft">{t.rules.about}</p>
      <ol ref={list}>
        {rules.map((rule, at) => (
          <RuleItem
            key={rule.key}
            rule={rule}
            at={at}
            isLast={at === rules.length - 1}
            isNegotiated={rules.some(asksLanguage)}
            isOpen={open.has(rule.key)}
            faults={faults}
            drag={drag(at)}
            onToggle={() => toggle(rule.key)}
            onMove={(by, focused) => move(at, at + by, focused)}
            onRemove={() => remove(at)}
            onChange={(next) => onChange(rules.with(at, next))}
          />
        ))}
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
        {status}
      </p>
    </div>
  );
}

/** Implements drag and drop for rules. @returns a function that returns the handlers for a rule and its header */
function useDragging(onMove: (from: number, to: number) => void) {
  const [over, setOver] = useState<number>();
  const dragged = useRef<number | undefined>(undefined);
  return (at: number) => ({
    isOver: over === at,
    place: {
      onDragOver: (event: DragEvent) => {
        if (dragged.current === undefined) return;
        event.preventDefault();
        setOver(at);
      },
      onDrop: (event: DragEvent) => {
        event.preventDefault();
        if (dragged.current !== undefined) onMove(dragged.current, at);
      },
    },
    head: {
      draggable: true,
      onDragStart: () => {
        dragged.current = at;
      },
      onDragEnd: () => {
        dragged.current = undefined;
        setOver(undefined);
      },
    },
  });
}

interface RuleItemProps {
  readonly rule: RuleDraft;
  readonly at: number;
  readonly isLast: boolean;
  /** Whether any of the link's rules tests the visitor's language. */
  readonly isNegotiated: boolean;
  readonly isOpen: boolean;
  readonly faults: Readonly<Record<string, string>>;
  readonly drag: ReturnType<ReturnType<typeof useDragging>>;
  readonly onToggle: () => void;
  /** Moves the rule. @param focused selector of the element to focus after the move */
  readonly onMove: (by: number, focused: string) => void;
  readonly onRemove: () => void;
  readonly onChange: (rule: RuleDraft) => void;
}

/**
 * Rule in the list: a line that expands, with buttons to move and remove the rule. Stays expanded while the rule has
 * errors.
 */
function RuleItem(props: RuleItemProps) {
  const { rule, at, faults, drag, onMove } = props;
  const path = `rules[${at}]`;
  const isOpen = props.isOpen || faultAt(faults, path) !== undefined;
  return (
    <li data-rule={rule.key} class={drag.isOver ? 'rule over' : 'rule'} {...drag.place}>
      <div class="rule-head" {...drag.head}>
        <button
          type="button"
          class="rule-toggle"
          aria-expanded={isOpen}
          aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown"
          title={t.rules.moveKeys}
          onClick={props.onToggle}
          onKeyDown={(event) => {
            const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
            if (by === undefined || !event.altKey) return;
            event.preventDefault();
            onMove(by, '.rule-toggle');
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
          onClick={() => onMove(-1, '.up')}
        />
        <Button
          kind="quiet"
          size="small"
          icon="arrow"
          class="down"
          label={t.rules.down(at + 1)}
          disabledReason={props.isLast ? t.rules.isLast : undefined}
          onClick={() => onMove(1, '.down')}
        />
        <Button
          kind="quiet"
          size="small"
          icon="bin"
          label={t.rules.removeRule(at + 1)}
          onClick={props.onRemove}
        />
      </div>
      {isOpen && <RuleForm {...props} path={path} />}
    </li>
  );
}

/** Shows a rule's name or conditions, and its destination. */
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

type RuleFormProps = Pick<RuleItemProps, 'rule' | 'isNegotiated' | 'faults' | 'onChange'> & {
  readonly path: string;
};

function RuleForm({ rule, path, isNegotiated, faults, onChange }: RuleFormProps) {
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
        <Action rule={rule} path={path} isNegotiated={isNegotiated} faults={faults} onChange={onChange} />
      </fieldset>
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
  );
}
