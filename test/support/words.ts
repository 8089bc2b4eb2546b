/** Splits a string at whitespace, so that long lists are compact in the code. */
export function words(text: string): string[] {
  return text.trim().split(/\s+/);
}
