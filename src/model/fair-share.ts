/**
 * Returns true if a holder may get another slot. A holder without slots may get any free slot, even the last one. To
 * get another slot, a holder needs more than three free slots for each slot that it would then have. As a result, one
 * holder has at most a quarter of all slots and leaves some free for other holders.
 * @param held number of slots of this holder
 * @param free number of free slots
 */
export function mayTakeSlot(held: number, free: number): boolean {
  return free > 0 && (held === 0 || 3 * (held + 1) < free);
}
