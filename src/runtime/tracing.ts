/** Attributes of a span: numbers and Linkfold's own terms, never keys, addresses or destinations. */
export type SpanFacts = Readonly<Record<string, string | number>>;

/** A span of a trace. */
export interface Span {
  /** Runs work whose spans become children of this one. */
  enclose<T>(work: () => T): T;
  /** @param error error code, if the work failed */
  end(facts?: SpanFacts, error?: string): void;
}

/** Starts spans. Components receive it only if tracing is enabled. */
export interface Tracing {
  /** Starts a span, as a child of the enclosing span, if any. */
  begin(name: string): Span;
  /** Starts the span of a request, as a child of the context in its `traceparent` and `tracestate` headers. */
  beginRequest(name: string, headers: Readonly<Record<string, unknown>>): Span;
}

/** Returns the error code for a span: `INTERNAL_ERROR` if the error has none. */
export function errorCodeOf(error: unknown): string {
  const { code } = error as { readonly code?: unknown };
  return typeof code === 'string' ? code : 'INTERNAL_ERROR';
}

/** Runs work in its own span; without tracing, just runs it. */
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
    span.end({}, errorCodeOf(error));
    throw error;
  }
}
