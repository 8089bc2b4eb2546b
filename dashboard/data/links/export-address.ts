/**
 * Where the server makes a file of any length: browsers save it as it comes.
 * @param input as the client takes it
 */
export function exportAddress(
  what: 'links' | 'clicks',
  format: 'csv' | 'ndjson',
  input: Readonly<Record<string, unknown>>,
): string {
  const query = new URLSearchParams({ format });
  for (const [name, value] of Object.entries(input)) {
    if (value === undefined) continue;
    // Filters are parameters of their own; other lists are one.
    if (name === 'filter' && Array.isArray(value)) for (const one of value) query.append(name, String(one));
    else query.append(name, String(value));
  }
  return `/api/v1/${what}/export?${query}`;
}
