/**
 * Characters that no name may contain: controls (C0, C1) and line separators, which can steer a terminal, and bidirectional
 * embeddings, overrides and isolates (UAX #9), which make one name look like another.
 */
export const deceptiveCharacters = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/** Returns true if a name has a character that no name may contain. */
export function isDeceptive(name: string): boolean {
  return name.search(deceptiveCharacters) !== -1;
}
