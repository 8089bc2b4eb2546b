/** Attributes of a span: numbers and words of our own, never keys, addresses or destinations. */
export type SpanFacts = Readonly<Record<string, string | number>>;

/** A piece of work from its beginning to its end. */
export interface Span {
  /** Does work whose spans become children of this one. */
  enclose<T>(work: () => T): T;
  /** @param error the code of the failure, if the work failed */
  end(facts?: SpanFacts, error?: string): void;
}

/** Begins spans. The parts get one only when the operator wants traces. */
export interface Tracing {
  /** Begins a span, as a child of the one that encloses this call, if any. */
  begin(name: string): Span;
  /** Begins the span of a request, as a child of what its `traceparent` and `tracestate` name. */
  beginRequest(name: string, headers: Readonly<Record<string, unknown>>): Span;
}

/** The code of an error for its span: `INTERNAL_ERROR` when it has none. */
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
