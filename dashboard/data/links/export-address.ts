/**
 * Returns the download URL of an export of any length: browsers save it as it arrives.
 * @param input as for the client
 */
export function exportAddress(
  what: 'links' | 'clicks',
  format: 'csv' | 'ndjson',
  input: Readonly<Record<string, unknown>>,
): string {
  const query = new URLSearchParams({ format });
  for (const [name, value] of Object.entries(input)) {
    if (value === undefined) continue;
    // Filters are separate parameters; other lists are comma-separated.
    if (name === 'filter' && Array.isArray(value)) for (const one of value) query.append(name, String(one));
    else query.append(name, String(value));
  }
  return `/api/v1/${what}/export?${query}`;
}
