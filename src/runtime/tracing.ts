/** What is said about a piece of work: words of ours and numbers, never keys, addresses or destinations. */
export type SpanFacts = Readonly<Record<string, string | number>>;

/** A piece of work that is followed from its beginning to its end. */
export interface Span {
  /** Does work whose own spans are parts of this one, whenever they begin. */
  enclose<T>(work: () => T): T;
  /** @param error the code of what went wrong, if anything did */
  end(facts?: SpanFacts, error?: string): void;
}

/** Follows work. The parts are given one only when somebody wants traces. */
export interface Tracing {
  /** Begins a span: a part of the one that encloses this call, if any. */
  begin(name: string): Span;
  /** Begins the answer to a request, as a part of what its `traceparent` and `tracestate` name. */
  beginRequest(name: string, headers: Readonly<Record<string, unknown>>): Span;
}

/** What went wrong, as a span says it: the code of a failure, or that it was none. */
export function errorWord(error: unknown): string {
  const { code } = error as { readonly code?: unknown };
  return typeof code === 'string' ? code : 'INTERNAL_ERROR';
}

/** Does work in a span of its own; without tracing, just does it. */
export async function followed<T>(
  tracing: Tracing | undefined,
  name: string,
  work: () => Promise<T>,
): Promise<T> {
  if (tracing === undefined) return work();
  const span = tracing.begin(name);
  try {
    const result = await span.enclose(work);
    span.end();
    return result;
  } catch (error) {
    span.end({}, errorWord(error));
    throw error;
  }
}
