import { useEffect, useRef, useState } from 'preact/hooks';
import type { StatisticsDimension } from '../../src/model/clicks/statistics.ts';
import { Button } from '../components/button.tsx';
import { Picker } from '../components/combobox.tsx';
import { Icon } from '../components/icon.tsx';
import { Popover } from '../components/popover.tsx';
import { number } from '../texts/format.ts';
import { useAnswer } from './ask.ts';
import { filterParts, labelOf } from './labels.ts';
import type { Question, Subject } from './model/answer.ts';
import { rowsOf } from './model/breakdown-rows.ts';
import { filterable, isText, type SubjectKind } from './model/dimensions.ts';
import { type Filter, flipped, withValue } from './model/filters.ts';
import { t } from './texts.ts';

interface ChipsProps {
  readonly filters: readonly Filter[];
  readonly labels: ReadonlyMap<string, string>;
  readonly onChange: (filters: readonly Filter[]) => void;
}

/** Chips for the active filters. Clicking a chip's operator inverts the filter. */
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
  readonly filters: readonly Filter[];
  readonly isOpen: boolean;
  readonly onOpen: (isOpen: boolean) => void;
  readonly questionFor: (dimension: StatisticsDimension) => Question | undefined;
  readonly onChange: (filters: readonly Filter[], labels: ReadonlyMap<string, string>) => void;
}

/**
 * Menu that selects a dimension and then its values, sorted by clicks. The user can add several values one after the
 * other.
 */
export function FilterControl({ isOpen, onOpen, ...props }: FilterControlProps) {
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
        <Popover anchor={anchor} class="menu" label={statistics.filter} onClose={() => onOpen(false)}>
          {dimension === undefined ? (
            <Picker
              label={statistics.filter}
              options={dimensionsFor(props.subject.kind).map((value) => ({
                value,
                label: statistics.dimension[value],
                aside: <Icon name="next" size={14} />,
              }))}
              opensList
              onTake={({ value }) => setDimension(value as StatisticsDimension)}
            />
          ) : (
            <Values {...props} dimension={dimension} onBack={() => setDimension(undefined)} />
          )}
        </Popover>
      )}
    </>
  );
}

function dimensionsFor(kind: SubjectKind): readonly StatisticsDimension[] {
  return filterable.filter((one) => !(kind === 'link' && (one === 'link' || one === 'folder')));
}

interface ValuesProps extends Pick<FilterControlProps, 'subject' | 'filters' | 'questionFor' | 'onChange'> {
  readonly dimension: StatisticsDimension;
  readonly onBack: () => void;
}

function Values({ subject, filters, questionFor, onChange, dimension, onBack }: ValuesProps) {
  const { answer } = useAnswer(subject, questionFor(dimension), 0);
  const rows = answer === undefined ? [] : rowsOf(answer, dimension, 'clicks', labelOf);
  const { statistics } = t;
  const chosen = filters.find((one) => one.dimension === dimension && one.operator !== 'contains');
  return (
    <>
      <Picker
        label={statistics.dimension[dimension]}
        options={rows.map(({ value, label, link, count }) => ({
          value,
          label,
          words: [value, link?.title ?? ''],
          aside: number(count),
        }))}
        {...(isText(dimension) && {
          create: (text) => ({ value: text, label: `${statistics.operators.contains} “${text}”` }),
        })}
        isChosen={(value) => chosen?.values.includes(value) ?? false}
        onTake={({ value, label, isNew }) =>
          onChange(
            isNew
              ? [...filters, { dimension, operator: 'contains', values: [value] }]
              : withValue(filters, dimension, value),
            new Map([[value, label.replace(/^\//, '')]]),
          )
        }
        onBack={onBack}
      />
      {answer !== undefined && rows.length === 0 && <p class="group">{statistics.noValues}</p>}
    </>
  );
}
