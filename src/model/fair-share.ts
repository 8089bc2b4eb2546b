/**
 * Returns true if a holder may get another slot. A holder without slots may get the last one; for a further slot, more
 * than three free slots must remain per slot of the holder. So one holder has at most a quarter of all slots, and some
 * always stay free.
 * @param held slots of this holder
 * @param free free slots
 */
export function mayTakeSlot(held: number, free: number): boolean {
  return free > 0 && (held === 0 || 3 * (held + 1) < free);
}
