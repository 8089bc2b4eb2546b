/** Plan tiers, lowest first. The tier of the key that makes the request applies (CONTRACT §4). */
export const plans = ['free', 'starter', 'pro', 'enterprise'] as const;
export type Plan = (typeof plans)[number];

export function isPlan(word: string): word is Plan {
  return (plans as readonly string[]).includes(word);
}

/** A limit for some of the plans; a plan that is not named has none. */
export type PlanLimits = Partial<Record<Plan, number>>;

/** Milliseconds a link made with a Free key lives: 15 days of 86,400,000 ms (document §8). */
export const freeLinkLifetimeMs = 15 * 86_400_000;

/** Whether the plan may choose `expiresAt`: Starter and higher (document §4.1). */
export function choosesExpiry(plan: Plan): boolean {
  return plan !== 'free';
}

/**
 * When a new link expires (document §4.1, §8).
 * @param createdAt the one reading of the clock that also becomes the link's `createdAt`, in ms
 * @param wished the expiry that the request asks for, in ms; ignored on Free
 */
export function expiryOfNewLink(plan: Plan, createdAt: number, wished: number | null): number | null {
  return choosesExpiry(plan) ? wished : createdAt + freeLinkLifetimeMs;
}
