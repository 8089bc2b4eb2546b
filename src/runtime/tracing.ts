/** Attributes of a span: numbers and fixed Linkfold identifiers, never keys, addresses or destinations. */
export type SpanFacts = Readonly<Record<string, string | number>>;

/** A span in a trace. */
export interface Span {
  /** Runs a function whose spans become children of this span. */
  enclose<T>(work: () => T): T;
  /** Ends the span. @param error error code, if the operation failed */
  end(facts?: SpanFacts, error?: string): void;
}

/** Creates spans. Components receive this object only if tracing is enabled. */
export interface Tracing {
  /** Starts a span as a child of the enclosing span, if there is one. */
  begin(name: string): Span;
  /** Starts the span for a request, as a child of the context in its `traceparent` and `tracestate` headers. */
  beginRequest(name: string, headers: Readonly<Record<string, unknown>>): Span;
}

/** Returns the error code for a span, or `INTERNAL_ERROR` if the error has no code. */
export function errorCodeOf(error: unknown): string {
  const { code } = error as { readonly code?: unknown };
  return typeof code === 'string' ? code : 'INTERNAL_ERROR';
}

/** Runs a function in a separate span, or without a span if tracing is disabled. */
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
