import { useEffect, useState } from 'preact/hooks';
import { Button } from '../components/button.tsx';
import { Failure } from '../components/states.tsx';
import { api } from '../data/client.ts';
import type { FullLink } from '../data/links/links.ts';
import { usePages } from '../data/pages.ts';
import { writesWait } from '../data/writes.ts';
import { dateAndTime, relative } from '../texts/format.ts';
import { ChangeLines } from './change-lines.tsx';
import { restoreVersion } from './restore.ts';
import { t } from './texts.ts';
import { actionName, type LinkChange, linesOf, restoredLines, whoIn } from './words.ts';

/** Number of changes loaded at a time. */
const page = 8;

interface HistoryProps {
  readonly link: FullLink;
}

/** A link's change history, newest first. Every version can be restored, except a deletion. */
export function History({ link }: HistoryProps) {
  const { rows, error, read, readMore } = usePages((cursor) =>
    api.linkHistory(link.id, { limit: page, cursor }),
  );
  useEffect(() => void read(), [link.id, link.revision]);
  useEffect(
    () => (rows !== undefined && location.hash === '#history' ? keepInView('history') : undefined),
    [rows === undefined],
  );
  if (rows === undefined)
    return error === undefined ? null : <Failure title={t.history.failed} error={error} onRetry={read} />;
  return (
    <section class="history page" id="history" aria-labelledby="history-title">
      <div class="part-head">
        <h2 id="history-title">{t.history.title}</h2>
        <p class="small soft">{rows.length === 0 ? t.history.none : t.history.about}</p>
      </div>
      <ol class="time-line">
        {rows.map((change) => (
          <Entry key={change.revision} link={link} change={change} rows={rows} />
        ))}
      </ol>
      {readMore !== undefined && (
        <Button size="small" onClick={readMore}>
          {t.history.older}
        </Button>
      )}
    </section>
  );
}

const settleMs = 3_000;
const inputs = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const;

/**
 * Scrolls to an anchor that was missing when the page opened. Keeps the anchor in view while the page above it grows,
 * until the user scrolls, clicks or presses a key.
 * @returns a function that stops scrolling
 */
function keepInView(id: string): () => void {
  const growth = new ResizeObserver(() => document.getElementById(id)?.scrollIntoView());
  growth.observe(document.body);
  const stop = () => {
    growth.disconnect();
    for (const input of inputs) removeEventListener(input, stop);
  };
  for (const input of inputs) addEventListener(input, stop, { passive: true });
  setTimeout(stop, settleMs);
  return stop;
}

interface EntryProps extends HistoryProps {
  readonly change: LinkChange;
  readonly rows: readonly LinkChange[];
}

function Entry({ link, change, rows }: EntryProps) {
  const { revision, at, action } = change;
  const [isAsking, setAsking] = useState(false);
  const isNow = revision === link.revision;
  return (
    <li class={isNow ? 'now' : ''}>
      <div class="time-line-head">
        <b>{actionName(action)}</b>
        <span class="soft">
          <time dateTime={at} title={dateAndTime(at)}>
            {relative(at)}
          </time>{' '}
          {whoIn(change)}
        </span>
        {isNow ? (
          <span class="small soft end">{t.history.now}</span>
        ) : (
          action !== 'deleted' && (
            <Button
              size="small"
              icon="undo"
              class="end"
              disabledReason={writesWait()}
              rest={{ 'aria-expanded': isAsking }}
              onClick={() => setAsking(!isAsking)}
            >
              {t.history.restore}
            </Button>
          )
        )}
      </div>
      {isAsking ? (
        <Preview
          lines={restoredLines(rows, revision)}
          onRestore={() => void restoreVersion(link, revision, link.revision)}
          onClose={() => setAsking(false)}
        />
      ) : (
        <ChangeLines lines={linesOf(change)} />
      )}
    </li>
  );
}

interface PreviewProps {
  readonly lines: ReturnType<typeof linesOf>;
  readonly onRestore: () => void;
  readonly onClose: () => void;
}

/** Preview of the fields that restoring a version will change. */
function Preview({ lines, onRestore, onClose }: PreviewProps) {
  const { history } = t;
  return (
    <div class="restore-preview" role="group" aria-label={history.restore}>
      <p class="small">{lines.length === 0 ? history.noDifference : history.preview}</p>
      <ChangeLines lines={lines} />
      <div class="actions">
        {lines.length > 0 && (
          <Button
            kind="primary"
            size="small"
            disabledReason={writesWait()}
            onClick={() => {
              onClose();
              onRestore();
            }}
          >
            {history.restoreNow}
          </Button>
        )}
        <Button size="small" onClick={onClose}>
          {t.cancel}
        </Button>
      </div>
    </div>
  );
}
