/** Splits a text into words, for long lists. */
export function words(text: string): string[] {
  return text.trim().split(/\s+/);
}
