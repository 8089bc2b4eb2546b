/** How many distinct texts of one kind are remembered. */
const maxRemembered = 4096;

/**
 * Reads each distinct text once: parsing costs more than the whole redirect, and most visitors send what others sent
 * before. The oldest entry goes when there are too many.
 * @param longest in UTF-16 units; what is longer is cut before it is read
 */
export function remembered<Fact>(longest: number, read: (text: string) => Fact): (text: string) => Fact {
  const known = new Map<string, Fact>();
  return (given) => {
    const text = given.length > longest ? given.slice(0, longest) : given;
    const seen = known.get(text);
    if (seen !== undefined) return seen;
    const fact = read(text);
    if (known.size >= maxRemembered) forgetOldest(known);
    known.set(copyOf(text), fact);
    return fact;
  };
}

function forgetOldest(known: Map<string, unknown>): void {
  for (const oldest of known.keys()) {
    known.delete(oldest);
    return;
  }
}

/** A slice would keep the whole header, or the whole request, alive in here. Headers hold bytes, one a unit. */
function copyOf(text: string): string {
  const copy = Buffer.from(text, 'latin1').toString('latin1');
  return copy === text ? copy : text;
}
