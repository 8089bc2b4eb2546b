/** Values by name, in their order. */
type Parameters = ReadonlyMap<string, readonly string[]>;

let last: { readonly query: string; readonly parameters: Parameters } | undefined;

/**
 * The parameters of a query. The last query is remembered, because a link may have hundreds of conditions on one that the
 * visitor has made as long as a request may be.
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
