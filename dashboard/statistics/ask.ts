import { useEffect, useRef, useState } from 'preact/hooks';
import type { SharedStatisticsInput } from '../../src/client/client.ts';
import { api } from '../data/client.ts';
import { onBack } from '../data/connection.ts';
import type { Answer, Question, Subject } from './model/answer.ts';
import { filterText } from './model/filters.ts';

/** Requests click statistics for a subject. */
export function ask(
  { kind, id, isShared, place = 0, campaign }: Subject,
  given: Question,
  signal?: AbortSignal,
): Promise<Answer> {
  const options = { signal };
  // Statistics for a share have no breakdown by link or folder, so the type of the query is narrower.
  if (isShared)
    return api.sharedStatistics(id, { ...(given as SharedStatisticsInput), subject: place }, options);
  const ofCampaign =
    campaign === undefined
      ? []
      : [filterText({ dimension: 'utmCampaign', operator: 'is', values: [campaign] })];
  const filter = [...(given.filter ?? []), ...ofCampaign];
  const question = { ...given, ...(filter.length > 0 && { filter }) };
  switch (kind) {
    case 'account':
      return api.accountStatistics(question, options);
    case 'link':
      return api.linkStatistics(id, question, options);
    case 'folder':
      return api.folderStatistics(id, question, options);
    case 'tag':
      return api.tagStatistics(id, question, options);
  }
}

export interface QueryState {
  /** The last response. Kept while the next response is loading. */
  readonly answer: Answer | undefined;
  readonly error: unknown;
  /** Whether the response belongs to a previous query. */
  readonly isOld: boolean;
}

/**
 * Sends a query whenever the query or `turn` changes. If a refresh fails, the previous response stays.
 * @param question undefined if there is nothing to request
 */
export function useAnswer(
  subject: Subject,
  question: Question | undefined,
  turn: number,
): QueryState & { retry: () => void } {
  const [{ answer, of, error }, set] = useState<{ answer?: Answer; of?: string; error?: unknown }>({});
  const [tries, setTries] = useState(0);
  const key = question === undefined ? undefined : JSON.stringify([subject, withoutClock(question)]);
  const current = useRef(question);
  current.current = question;
  useEffect(() => {
    const asked = current.current;
    if (key === undefined || asked === undefined) return undefined;
    const ending = new AbortController();
    ask(subject, asked, ending.signal).then(
      (found) => {
        if (!ending.signal.aborted) set({ answer: found, of: key });
      },
      (failed: unknown) => {
        if (!ending.signal.aborted)
          set((before) => (before.of === key ? before : { ...before, error: failed }));
      },
    );
    return () => ending.abort();
  }, [key, turn, tries]);
  const retry = () => {
    // Keep the previous response visible while the query is sent again.
    set(({ error: _, ...before }) => before);
    setTries((n) => n + 1);
  };
  useEffect(() => onBack(retry), []);
  return { answer, error: of === key ? undefined : error, isOld: of !== key, retry };
}

/** Returns a query without the time of day in its comparison range, because that time changes with every request. */
function withoutClock(question: Question): Question {
  return { ...question, compare: question.compare?.replace(/T[\d:]+$/, 'T') };
}
