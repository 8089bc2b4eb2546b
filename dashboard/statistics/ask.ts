import { useEffect, useRef, useState } from 'preact/hooks';
import type { SharedStatisticsInput } from '../../src/client/client.ts';
import { api } from '../data/client.ts';
import { onBack } from '../data/connection.ts';
import type { Answer, Question, Subject } from './model/answer.ts';
import { filterText } from './model/filters.ts';

/** Asks the API for the clicks of a subject. */
export function ask(
  { kind, id, isShared, place = 0, campaign }: Subject,
  given: Question,
  signal?: AbortSignal,
): Promise<Answer> {
  const options = { signal };
  // Of one link there is no breakdown by link or folder.
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

export interface Asked {
  /** The last answer; it stays while the next one is on its way. */
  readonly answer: Answer | undefined;
  readonly error: unknown;
  /** Whether the answer is not of this question. */
  readonly isOld: boolean;
}

/**
 * Asks a question again when it changes, and whenever `turn` does. A failure of a repetition leaves the answer where it is.
 * @param question undefined when there is nothing to ask
 */
export function useAnswer(
  subject: Subject,
  question: Question | undefined,
  turn: number,
): Asked & { retry: () => void } {
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
    // What was answered stays on the screen meanwhile.
    set(({ error: _, ...before }) => before);
    setTries((n) => n + 1);
  };
  useEffect(() => onBack(retry), []);
  return { answer, error: of === key ? undefined : error, isOld: of !== key, retry };
}

/** The time of day in a comparison moves with every look; it makes no other question. */
function withoutClock(question: Question): Question {
  return { ...question, compare: question.compare?.replace(/T[\d:]+$/, 'T') };
}
