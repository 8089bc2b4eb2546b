/** Maximum number of distinct strings per cache. */
const maxEntries = 4096;

/**
 * Caches a parser by its input: parsing costs more than the rest of a redirect, and most visitors send the same
 * values. The oldest entry is dropped when there are too many.
 * @param longest maximum length in UTF-16 units; longer strings are cut before parsing
 */
export function memoize<Fact>(longest: number, read: (text: string) => Fact): (text: string) => Fact {
  const known = new Map<string, Fact>();
  return (given) => {
    const text = given.length > longest ? given.slice(0, longest) : given;
    const seen = known.get(text);
    if (seen !== undefined) return seen;
    const fact = read(text);
    if (known.size >= maxEntries) deleteOldest(known);
    known.set(copyOf(text), fact);
    return fact;
  };
}

function deleteOldest(known: Map<string, unknown>): void {
  for (const oldest of known.keys()) {
    known.delete(oldest);
    return;
  }
}

/**
 * Copies the string, because a slice would keep the complete header or request in memory. Headers have one byte per
 * unit.
 */
function copyOf(text: string): string {
  const copy = Buffer.from(text, 'latin1').toString('latin1');
  return copy === text ? copy : text;
}
