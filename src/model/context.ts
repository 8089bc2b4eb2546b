import type { ResolvedRestrictions } from './accounts/key-restrictions.ts';
import type { PlanLimits } from './accounts/plans.ts';
import type { UnappliedClicks } from './clicks/clicks.ts';
import type { CheckRecords } from './domains/records.ts';
import type { RandomBytes } from './ids.ts';
import type { CodeRules, GeneratedCodeLength } from './links/codes/codes.ts';
import type { DestinationRules } from './links/destinations/destinations.ts';
import type { Passwords } from './links/passwords.ts';
import type { Stamp } from './stamps.ts';
import type { Storage, Writes } from './storage.ts';

/** The dependencies of the domain logic: storage, time, randomness and the installation's settings. */
export interface Context extends CodeRules {
  readonly storage: Storage;
  /** Storage write operations, optionally bound to one idempotent request. */
  readonly writes: Writes;
  /** Restrictions of the requesting key; undefined if it has none. */
  readonly restrictions?: ResolvedRestrictions | undefined;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Creates the id and the creation time of a new record. */
  readonly stamp: () => Stamp;
  readonly randomBytes: RandomBytes;
  readonly passwords: Passwords;
  readonly unapplied: UnappliedClicks;
  readonly generatedLength: GeneratedCodeLength;
  readonly destinations: DestinationRules;
  /** Maximum number of live links per account, for each plan. The plan of the key that creates a link applies. */
  readonly linkQuotas: PlanLimits;
  /** Maximum number of folders per account. */
  readonly folderLimit: number;
  /** Maximum number of tags per account. */
  readonly tagLimit: number;
  /** Maximum number of domains per account. */
  readonly domainLimit: number;
  /** Returns true for a host of the installation itself, which cannot be a custom domain. */
  readonly isOwnHost: (host: string) => boolean;
  /** Returns the host of the shared domain. */
  readonly sharedHost: () => string;
  /** Looks up a domain's current DNS records. Never rejects. */
  readonly checkRecords: CheckRecords;
}
