/**
 * Returns the download URL for an export. The export may be of any size, because browsers save the data while
 * downloading.
 * @param input same as for the API client
 */
export function exportAddress(
  what: 'links' | 'clicks',
  format: 'csv' | 'ndjson',
  input: Readonly<Record<string, unknown>>,
): string {
  const query = new URLSearchParams({ format });
  for (const [name, value] of Object.entries(input)) {
    if (value === undefined) continue;
    // Each filter is a separate parameter. Other lists are comma-separated.
    if (name === 'filter' && Array.isArray(value)) for (const one of value) query.append(name, String(one));
    else query.append(name, String(value));
  }
  return `/api/v1/${what}/export?${query}`;
}
