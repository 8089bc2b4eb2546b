/**
 * Characters that names must not contain: control characters (C0, C1) and line separators, which can control a
 * terminal, and bidirectional embeddings, overrides and isolates (UAX #9), which make one name look like another.
 */
export const deceptiveCharacters = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/** Returns true if a name contains a deceptive character. */
export function isDeceptive(name: string): boolean {
  return name.search(deceptiveCharacters) !== -1;
}
