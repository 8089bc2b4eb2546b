/** Returns the weight (`q`) of a media type in an `Accept` header; 0 if the type is not listed. */
export function weightOf(accept: string, type: string): number {
  for (const one of accept.split(',')) {
    const [name = '', ...parameters] = one.split(';').map((part) => part.trim().toLowerCase());
    if (name !== type) continue;
    const weight = Number(parameters.find((part) => part.startsWith('q='))?.slice(2) ?? 1);
    return Number.isNaN(weight) ? 0 : weight;
  }
  return 0;
}
