import { useRef, useState } from 'preact/hooks';
import { showFailure } from './explain.ts';

/** API response for one page of a list. */
interface OnePage<T> {
  readonly data: readonly T[];
  readonly pagination: { readonly nextCursor: string | null };
}

/** Loads a paginated list's rows. @param readPage loads one page; the first page has an empty cursor */
export function usePages<T>(readPage: (cursor: string) => Promise<OnePage<T>>) {
  const [rows, setRows] = useState<readonly T[]>();
  const [next, setNext] = useState<string | null>(null);
  const [error, setError] = useState<unknown>();
  const asked = useRef(0);
  const load = async (cursor: string) => {
    asked.current += 1;
    const question = asked.current;
    try {
      const { data, pagination } = await readPage(cursor);
      // Ignore this response, because a newer request has been sent.
      if (question !== asked.current) return;
      setRows((before = []) => (cursor === '' ? data : [...before, ...data]));
      setNext(pagination.nextCursor);
      setError(undefined);
    } catch (failure) {
      if (question !== asked.current) return;
      if (cursor === '') setError(failure);
      else showFailure(failure);
    }
  };
  const readMore = next === null ? undefined : () => void load(next);
  return { rows, setRows, error, read: () => load(''), readMore };
}
