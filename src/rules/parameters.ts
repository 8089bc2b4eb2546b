/** Values by parameter name, in order. */
type Parameters = ReadonlyMap<string, readonly string[]>;

let last: { readonly query: string; readonly parameters: Parameters } | undefined;

/**
 * Parses the parameters of a query. Caches the last query: a link may have hundreds of query conditions, and visitors
 * can send queries of maximum length.
 */
export function parametersOf(query: string): Parameters {
  if (last?.query === query) return last.parameters;
  const parameters = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(query)) {
    const values = parameters.get(name);
    if (values === undefined) parameters.set(name, [value]);
    else values.push(value);
  }
  last = { query, parameters };
  return parameters;
}
