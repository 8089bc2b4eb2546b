/** Plans, lowest first. The plan of a request's key applies to the request (CONTRACT §4). */
export const plans = ['free', 'starter', 'pro', 'enterprise'] as const;
export type Plan = (typeof plans)[number];

export function isPlan(word: string): word is Plan {
  return (plans as readonly string[]).includes(word);
}

/** A limit for each plan. Plans without an entry have no limit. */
export type PlanLimits = Partial<Record<Plan, number>>;

/** Lifetime of a link created on the Free plan, in ms: 15 days of 86,400,000 ms (interface document §8). */
export const freeLinkLifetimeMs = 15 * 86_400_000;

/** Returns true if keys with this plan may set `expiresAt`: Starter and higher (interface document §4.1). */
export function choosesExpiry(plan: Plan): boolean {
  return plan !== 'free';
}

/**
 * Returns when a new link expires (interface document §4.1, §8).
 * @param createdAt the link's `createdAt`, ms since the epoch
 * @param requested the requested expiry, ms since the epoch; ignored on Free
 */
export function expiryOfNewLink(plan: Plan, createdAt: number, requested: number | null): number | null {
  return choosesExpiry(plan) ? requested : createdAt + freeLinkLifetimeMs;
}
