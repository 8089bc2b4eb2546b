import { useEffect, useState } from 'preact/hooks';
import { Button } from '../components/button.tsx';
import { Failure } from '../components/states.tsx';
import { api } from '../data/client.ts';
import { tellFailure } from '../data/explain.ts';
import { changed } from '../data/links/changes.ts';
import type { WholeLink } from '../data/links/links.ts';
import { did } from '../data/undo.ts';
import { writesWait } from '../data/writes.ts';
import { dateAndTime, list, relative } from '../texts/format.ts';
import { t } from './texts.ts';
import { fieldName, type LinkChange, linesOf, whoIn } from './words.ts';

/** Changes that are shown at once. */
const page = 8;

interface HistoryProps {
  readonly link: WholeLink;
}

/** What was done to a link, the newest first, each with the way back. */
export function History({ link }: HistoryProps) {
  const [rows, setRows] = useState<readonly LinkChange[]>();
  const [next, setNext] = useState<string | null>(null);
  const [error, setError] = useState<unknown>();
  const read = async (before: readonly LinkChange[], cursor: string) => {
    try {
      const { data, pagination } = await api.linkHistory(link.id, { limit: page, cursor });
      setRows([...before, ...data]);
      setNext(pagination.nextCursor);
      setError(undefined);
    } catch (failure) {
      setError(failure);
    }
  };
  useEffect(() => void read([], ''), [link.id, link.revision]);
  if (rows === undefined)
    return error === undefined ? null : (
      <Failure title={t.history.failed} error={error} onRetry={() => void read([], '')} />
    );
  return (
    <section class="history page" id="history" aria-labelledby="history-title">
      <div class="part-head">
        <h2 id="history-title">{t.history.title}</h2>
        <p class="small soft">{rows.length === 0 ? t.history.none : t.history.about}</p>
      </div>
      <ol class="time-line">
        {rows.map((change) => (
          <Entry key={change.revision} link={link} change={change} />
        ))}
      </ol>
      {next !== null && (
        <Button size="small" onClick={() => void read(rows, next)}>
          {t.history.older}
        </Button>
      )}
    </section>
  );
}

function Entry({ link, change }: HistoryProps & { readonly change: LinkChange }) {
  const { revision, at, action } = change;
  const isNow = revision === link.revision;
  return (
    <li class={isNow ? 'now' : ''}>
      <div class="time-line-head">
        <b>{t.history.actions[action] ?? action}</b>
        <span class="soft">
          <time dateTime={at} title={dateAndTime(at)}>
            {relative(at)}
          </time>{' '}
          {whoIn(change)}
        </span>
        {isNow ? (
          <span class="small soft end">{t.history.now}</span>
        ) : (
          <Button
            size="small"
            icon="undo"
            class="end"
            disabledReason={writesWait()}
            rest={{ 'aria-description': t.history.putBackAbout(dateAndTime(at)) }}
            onClick={() => void putBack(link, revision)}
          >
            {t.history.putBack}
          </Button>
        )}
      </div>
      <dl class="time-line-changes small">
        {linesOf(change).map(({ field, from, to }) => (
          <div key={field}>
            <dt>{field}</dt>
            <dd dir="auto">
              {from !== undefined && (
                <>
                  <del>{from}</del>
                  <span class="soft" aria-hidden="true">
                    {' → '}
                  </span>
                </>
              )}
              <ins>{to}</ins>
            </dd>
          </div>
        ))}
      </dl>
    </li>
  );
}

/** Makes the link what it was; one that was changed meanwhile is left alone. */
async function putBack(link: WholeLink, revision: number): Promise<void> {
  try {
    const { kept, revision: now } = await api.rollBackLink(link.id, revision, {
      ifMatch: link.revision,
    });
    void changed();
    const fields = list(kept.map(fieldName));
    did(kept.length === 0 ? t.history.done : t.history.kept(fields), t.history.undone, async () => {
      await api.rollBackLink(link.id, link.revision, { ifMatch: now });
      void changed();
    });
  } catch (error) {
    void changed();
    tellFailure(error);
  }
}
