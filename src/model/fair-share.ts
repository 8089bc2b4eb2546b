/**
 * Returns true if a holder may take another slot. A holder without any takes the last one; a further slot must leave more than three
 * free for each slot of the holder. So one holder has at most a quarter, and however many are busy, some slots stay free.
 * @param held slots of the holder
 * @param free slots that nobody holds
 */
export function mayTakeSlot(held: number, free: number): boolean {
  return free > 0 && (held === 0 || 3 * (held + 1) < free);
}
