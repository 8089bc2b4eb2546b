import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { StatisticsDimension } from '../../src/model/clicks/statistics.ts';
import { Button } from '../components/button.tsx';
import { Segmented } from '../components/choices.tsx';
import { Icon } from '../components/icon.tsx';
import { moveByKeys } from '../components/menu.tsx';
import { Popover } from '../components/popover.tsx';
import { number } from '../texts/format.ts';
import { useAnswer } from './ask.ts';
import { filterParts, labelOf } from './labels.ts';
import type { Question, Subject } from './model/answer.ts';
import { type Row, rowsOf, search } from './model/breakdown-rows.ts';
import { filterable, isText, type SubjectKind } from './model/dimensions.ts';
import { type Filter, flipped, type Operator, operators } from './model/filters.ts';
import { t } from './texts.ts';

interface ChipsProps {
  readonly filters: readonly Filter[];
  readonly labels: ReadonlyMap<string, string>;
  readonly onChange: (filters: readonly Filter[]) => void;
}

/** What narrows the clicks. The middle word turns a filter round. */
export function Chips({ filters, labels, onChange }: ChipsProps) {
  const { statistics } = t;
  return (
    <>
      {filters.map((filter, at) => {
        const [what, how, value] = filterParts(filter, labels);
        const text = `${what} ${how} ${value}`;
        const remove = () => onChange(filters.toSpliced(at, 1));
        return (
          <span key={text} class="chip">
            <button
              type="button"
              title={statistics.flipFilter(text)}
              aria-label={statistics.flipFilter(text)}
              onClick={() => onChange(filters.with(at, flipped(filter)))}
              onKeyDown={(event) => {
                if (event.key === 'Backspace' || event.key === 'Delete') remove();
              }}
            >
              {what} {how} <span class="value">{value}</span>
            </button>
            <button type="button" class="remove" aria-label={statistics.removeFilter(text)} onClick={remove}>
              <Icon name="close" size={12} />
            </button>
          </span>
        );
      })}
    </>
  );
}

interface FilterControlProps {
  readonly subject: Subject;
  readonly isOpen: boolean;
  readonly onOpen: (isOpen: boolean) => void;
  readonly questionFor: (dimension: StatisticsDimension, limit?: number) => Question | undefined;
  readonly onAdd: (filter: Filter, labels: ReadonlyMap<string, string>) => void;
}

/** First what to filter by, then its values as they were clicked. */
export function FilterControl({ subject, isOpen, onOpen, questionFor, onAdd }: FilterControlProps) {
  const anchor = useRef<HTMLButtonElement>(null);
  const [dimension, setDimension] = useState<StatisticsDimension>();
  useEffect(() => {
    if (!isOpen) setDimension(undefined);
  }, [isOpen]);
  const { statistics } = t;
  return (
    <>
      <Button
        kind="quiet"
        icon="filter"
        keys="f"
        rest={{ ref: anchor, 'aria-haspopup': 'dialog', 'aria-expanded': isOpen }}
        onClick={() => onOpen(!isOpen)}
      >
        {statistics.filter}
      </Button>
      {isOpen && (
        <Popover
          anchor={anchor}
          class={dimension === undefined ? 'menu' : 'choose-values'}
          label={statistics.filter}
          onClose={() => onOpen(false)}
        >
          {dimension === undefined ? (
            <Dimensions kind={subject.kind} onChoose={setDimension} />
          ) : (
            <ChooseValues
              subject={subject}
              dimension={dimension}
              question={questionFor(dimension)}
              onBack={() => setDimension(undefined)}
              onTake={(filter, labels) => {
                onOpen(false);
                onAdd(filter, labels);
              }}
            />
          )}
        </Popover>
      )}
    </>
  );
}

interface DimensionsProps {
  readonly kind: SubjectKind;
  readonly onChoose: (dimension: StatisticsDimension) => void;
}

function Dimensions({ kind, onChoose }: DimensionsProps) {
  const { statistics } = t;
  const list = useRef<HTMLDivElement>(null);
  // At once: a letter that follows must find the focus here.
  useLayoutEffect(() => list.current?.querySelector('button')?.focus(), []);
  return (
    <div ref={list} role="menu" aria-label={statistics.filter} onKeyDown={moveByKeys}>
      {dimensionsFor(kind).map((one) => (
        <button
          key={one}
          type="button"
          role="menuitem"
          tabIndex={-1}
          onClick={() => onChoose(one)}
          onKeyDown={(event) => {
            if (event.key === 'ArrowRight') onChoose(one);
          }}
        >
          {statistics.dimension[one]}
          <span class="end">
            <Icon name="next" size={14} />
          </span>
        </button>
      ))}
    </div>
  );
}

function dimensionsFor(kind: SubjectKind): readonly StatisticsDimension[] {
  return filterable.filter((one) => !(kind === 'link' && (one === 'link' || one === 'folder')));
}

interface ChooseProps {
  readonly subject: Subject;
  readonly dimension: StatisticsDimension;
  readonly question: Question | undefined;
  readonly onBack: () => void;
  readonly onTake: (filter: Filter, labels: ReadonlyMap<string, string>) => void;
}

const mostShown = 50;

function ChooseValues({ subject, dimension, question, onBack, onTake }: ChooseProps) {
  const { statistics } = t;
  const [operator, setOperator] = useState<Operator>('is');
  const [text, setText] = useState('');
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => field.current?.focus(), []);
  const [values, setValues] = useState<readonly string[]>([]);
  const { answer } = useAnswer(subject, question, 0);
  const rows = answer === undefined ? [] : rowsOf(answer, dimension, 'clicks', labelOf);
  const found = search(rows, operator === 'contains' ? '' : text);
  const possible = operators.filter((one) => one !== 'contains' || isText(dimension));
  const clicks = rows
    .filter(({ value }) => values.includes(value))
    .reduce((sum, { count }) => sum + count, 0);
  const isReady = operator === 'contains' ? text.trim() !== '' : values.length > 0;
  const take = () => {
    if (!isReady) return;
    const labels = new Map(
      (answer?.breakdown?.values ?? []).flatMap(({ value, label }) =>
        label === undefined ? [] : [[value, label]],
      ),
    );
    onTake({ dimension, operator, values: operator === 'contains' ? [text.trim()] : values }, labels);
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        take();
      }}
    >
      <div class="choose-head">
        <Button kind="quiet" size="small" icon="back" label={statistics.filter} onClick={onBack} />
        <strong>{statistics.dimension[dimension]}</strong>
      </div>
      <Segmented
        label={statistics.filter}
        options={possible.map((value) => ({ value, label: statistics.operators[value] }))}
        value={operator}
        onChange={setOperator}
      />
      <div class="input">
        <Icon name="search" />
        <input
          type="text"
          autocomplete="off"
          ref={field}
          aria-label={operator === 'contains' ? statistics.containsValue : statistics.searchValues}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </div>
      {operator !== 'contains' && (
        <ValueList dimension={dimension} found={found} values={values} onChange={setValues}>
          {answer !== undefined && found.length === 0 && (
            <p class="soft small">{text === '' ? statistics.noValues : t.nothing(text)}</p>
          )}
        </ValueList>
      )}
      <div class="choose-foot">
        <span class="small soft">
          {operator !== 'contains' && values.length > 0 && statistics.chosen(values.length, number(clicks))}
        </span>
        <Button
          kind="primary"
          size="small"
          type="submit"
          keys="enter"
          disabledReason={isReady ? undefined : statistics.filter}
        >
          {t.apply}
        </Button>
      </div>
    </form>
  );
}

interface ValueListProps {
  readonly dimension: StatisticsDimension;
  readonly found: readonly Row[];
  readonly values: readonly string[];
  readonly onChange: (values: readonly string[]) => void;
  readonly children: ComponentChildren;
}

function ValueList({ dimension, found, values, onChange, children }: ValueListProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and keys must reach it
    <div class="values" tabIndex={0} role="group" aria-label={t.statistics.dimension[dimension]}>
      {found.slice(0, mostShown).map(({ value, label, count }) => (
        <label key={value} class="option">
          <input
            type="checkbox"
            class="check"
            checked={values.includes(value)}
            onChange={(event) =>
              onChange(
                event.currentTarget.checked ? [...values, value] : values.filter((one) => one !== value),
              )
            }
          />
          <span class="cut" dir="auto">
            {label}
          </span>
          <span class="count soft">{number(count)}</span>
        </label>
      ))}
      {children}
    </div>
  );
}
