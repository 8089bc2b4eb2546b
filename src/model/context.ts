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

/** What the rules are given: storage, time, randomness and this installation's choices. */
export interface Context extends CodeRules {
  readonly storage: Storage;
  /** The writes of storage, or the same writes bound to one idempotent request. */
  readonly writes: Writes;
  /** The part of the links that the requesting key is bound to; undefined for all of the account. */
  readonly restrictions?: ResolvedRestrictions | undefined;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Id and time of creation of a new link or folder. */
  readonly stamp: () => Stamp;
  readonly randomBytes: RandomBytes;
  readonly passwords: Passwords;
  readonly unapplied: UnappliedClicks;
  readonly generatedLength: GeneratedCodeLength;
  readonly destinations: DestinationRules;
  /** The limit of live links of an account, by the plan of the key that creates one. */
  readonly linkQuotas: PlanLimits;
  /** The limit of folders of an account. */
  readonly folderLimit: number;
  /** The limit of tags of an account. */
  readonly tagLimit: number;
  /** The limit of domains of an account. */
  readonly domainLimit: number;
  /** Whether a host is one of the installation itself, and so nobody's domain. */
  readonly isOwnHost: (host: string) => boolean;
  /** The host of the shared domain. */
  readonly sharedHost: () => string;
  /** Looks at the records of a domain as they are now. Never rejects. */
  readonly lookAt: CheckRecords;
}
