import { useState } from 'preact/hooks';
import type { StatisticsDimension } from '../../src/model/clicks/statistics.ts';
import { Dialog } from '../components/dialog.tsx';
import { TextField } from '../components/field.tsx';
import { useAnswer } from './ask.ts';
import { labelOf } from './labels.ts';
import type { Question, Subject } from './model/answer.ts';
import { rowsOf, search } from './model/breakdown-rows.ts';
import type { Filter } from './model/filters.ts';
import type { Metric } from './model/state.ts';
import { type OnPick, Rows } from './rows.tsx';
import { t } from './texts.ts';

interface AllValuesProps {
  readonly subject: Subject;
  readonly dimension: StatisticsDimension;
  readonly question: Question | undefined;
  readonly metric: Metric;
  readonly filters: readonly Filter[];
  readonly onPick: OnPick;
  readonly onClose: () => void;
}

const mostShown = 200;

/** Dialog that lists all values of a dimension, with search. */
export function AllValues({
  subject,
  dimension,
  question,
  metric,
  filters,
  onPick,
  onClose,
}: AllValuesProps) {
  const [text, setText] = useState('');
  const { answer } = useAnswer(subject, question, 0);
  const { statistics } = t;
  const rows = answer === undefined ? [] : rowsOf(answer, dimension, metric, labelOf);
  const found = search(rows, text);
  return (
    <Dialog title={statistics.dimensions[dimension]} width="34rem" onClose={onClose}>
      <div class="all-values">
        <TextField label={statistics.searchValues} icon="search" value={text} onInput={setText} />
        {answer !== undefined && found.length === 0 && <p class="soft">{t.nothing(text)}</p>}
        <Rows
          rows={found.slice(0, mostShown)}
          dimension={dimension}
          filters={filters}
          onPick={(...picked) => {
            onClose();
            onPick(...picked);
          }}
        />
      </div>
    </Dialog>
  );
}
