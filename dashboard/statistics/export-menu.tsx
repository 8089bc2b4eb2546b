import type { StatisticsDimension } from '../../src/model/clicks/statistics.ts';
import { saveFile } from '../browser/save-file.ts';
import { MenuButton } from '../components/menu.tsx';
import { exportAddress } from '../data/links/export-address.ts';
import type { Answer } from './model/answer.ts';
import { panelsFor } from './model/dimensions.ts';
import { csvOf, jsonOf, type Seen } from './model/export.ts';
import { t } from './texts.ts';
import { chosenIn, type View } from './view.ts';

interface ExportProps {
  readonly view: View;
  readonly main: Answer | undefined;
  readonly breakdowns: ReadonlyMap<StatisticsDimension, Answer>;
}

/** Menu that downloads the visible statistics or the individual clicks. */
export function ExportMenu({ view, main, breakdowns }: ExportProps) {
  const { statistics } = t;
  const { subject, state, days, ask } = view;
  const clicksAddress = () => {
    const question = ask({ ofScans: state.metric === 'scans' });
    const { from, to, timezone, class: shown, filter } = question ?? {};
    const of = subject.kind === 'account' ? {} : { [`${subject.kind}Id`]: subject.id };
    return exportAddress('clicks', 'csv', { ...of, from, to, timezone, class: shown, filter });
  };
  const save = (kind: 'csv' | 'json') => {
    const question = ask({});
    if (main === undefined || question === undefined) return;
    const seen: Seen = {
      question,
      main,
      breakdowns: panelsFor(subject.kind).flatMap((panel) => {
        const dimension = chosenIn(view, panel);
        const answer = breakdowns.get(dimension);
        return answer === undefined ? [] : [{ dimension, answer }];
      }),
    };
    const name = `linkfold-${days.first}-${days.last}.${kind}`;
    if (kind === 'csv') saveFile(name, 'text/csv', csvOf(seen));
    else saveFile(name, 'application/json', jsonOf(seen));
  };
  return (
    <MenuButton
      kind="quiet"
      icon="download"
      align="end"
      menuLabel={statistics.export}
      disabledReason={main === undefined ? statistics.reading : undefined}
      items={() => [
        { label: statistics.exportCsv, onSelect: () => save('csv') },
        { label: statistics.exportJson, onSelect: () => save('json') },
        ...(subject.isShared ? [] : [undefined, { label: statistics.exportClicks, href: clicksAddress() }]),
      ]}
    >
      {statistics.export}
    </MenuButton>
  );
}
