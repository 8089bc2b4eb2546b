/** Endpoints that a process sends to at the same time. */
export const slots = 32;

/**
 * Returns true if an account may take another slot. An account without any takes the last one; a further slot must leave more than three
 * free for each slot of the account. So one account holds at most a quarter, and however many accounts are busy, some slots stay free.
 * @param held slots that the account holds
 * @param free slots that nobody holds
 */
export function mayTakeSlot(held: number, free: number): boolean {
  return free > 0 && (held === 0 || 3 * (held + 1) < free);
}
