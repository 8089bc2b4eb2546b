import { t } from './texts.ts';

/** Scopes of an API key, in the order shown in the form. */
export const allScopes = [
  'links:read',
  'links:write',
  'analytics:read',
  'keys:write',
  'domains:write',
  'people:write',
  'audit:read',
  'webhooks:write',
] as const;
export type Scope = (typeof allScopes)[number];

/** Scopes that a restricted key can have. All other scopes apply to the whole account. */
export const restrictedScopes: readonly Scope[] = ['links:read', 'links:write', 'analytics:read'];

export function scopeName(scope: string): string {
  return t.keys.scopes[scope] ?? scope;
}

export type KeyExpiry = '30' | '90' | '365' | 'never';

/** Returns the expiry for a new key. `latest` is the maximum, because a new key must not outlive the session's key. */
export function expiryOf(preset: KeyExpiry, now: number, latest: string | null): string | null {
  const wanted = preset === 'never' ? undefined : now + Number(preset) * 86_400_000;
  if (latest !== null && (wanted === undefined || wanted > Date.parse(latest))) return latest;
  return wanted === undefined ? null : new Date(wanted).toISOString();
}
