/** The words of a text: for lists of them that are long. */
export function words(text: string): string[] {
  return text.trim().split(/\s+/);
}
