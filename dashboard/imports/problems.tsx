import { useEffect, useState } from 'preact/hooks';
import { saveFile } from '../browser/save-file.ts';
import { toCsv } from '../browser/to-csv.ts';
import { Fault } from '../components/ask.tsx';
import { Button } from '../components/button.tsx';
import { Icon } from '../components/icon.tsx';
import { explain } from '../data/explain.ts';
import { check, type Problem } from './check.ts';
import { Progress } from './progress.tsx';
import { t } from './texts.ts';

interface ProblemsProps {
  readonly file: File;
  readonly places: readonly string[] | undefined;
  readonly domain: string | null;
  readonly links: number;
}

const mostShown = 8;

/** Checks a file against the server's rules, and lists the lines that the server would reject or change. */
export function Problems({ file, places, domain, links }: ProblemsProps) {
  const [problems, setProblems] = useState<readonly Problem[]>();
  const [share, setShare] = useState(0);
  const [fault, setFault] = useState<string>();
  useEffect(() => {
    const running = new AbortController();
    const { signal } = running;
    setProblems(undefined);
    setFault(undefined);
    check({ file, places, domain, signal, onShare: setShare }).then(
      (found) => signal.aborted || setProblems(found),
      (error) => signal.aborted || setFault(explain(error)),
    );
    return () => running.abort();
  }, [file, domain]);
  if (fault !== undefined) return <Fault text={t.imports.notChecked(fault)} />;
  if (problems === undefined)
    return <Progress share={share} label={t.imports.checking(Math.floor(share * links), links)} />;
  if (problems.length === 0)
    return (
      <p class="small import-fine">
        <Icon name="check" />
        {t.imports.noProblems}
      </p>
    );
  const refused = problems.filter(({ isRefused }) => isRefused).length;
  const rows = problems.map((one) => ({ ...one, reason: t.imports.reason(one.reason) }));
  const save = () =>
    saveFile(
      'import-problems.csv',
      'text/csv',
      toCsv([
        ['line', 'code', 'column', 'outcome', 'reason'],
        ...rows.map(({ line, code, column, isRefused, reason }) => [
          String(line ?? ''),
          code,
          column,
          isRefused ? 'refused' : 'changed',
          reason,
        ]),
      ]),
    );
  return (
    <div class="import-problems">
      <div class="import-problems-head">
        <h3>{t.imports.found(refused, problems.length - refused)}</h3>
        <Button size="small" icon="download" onClick={save}>
          {t.imports.saveProblems}
        </Button>
      </div>
      <ul class="import-hosts">
        {rows
          .toSorted((a, b) => Number(b.isRefused) - Number(a.isRefused))
          .slice(0, mostShown)
          .map(({ line, code, column, reason, isRefused }) => (
            <li key={`${line} ${code} ${column} ${reason}`}>
              <b class="cut">{line === undefined ? code : t.imports.line(line)}</b>
              <span class="soft cut">{column || code}</span>
              <span class={isRefused ? 'bad' : ''}>{reason}</span>
            </li>
          ))}
      </ul>
      {problems.length > mostShown && <p class="small soft">{t.imports.more(problems.length - mostShown)}</p>}
    </div>
  );
}
