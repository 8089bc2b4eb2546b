import type { Limiter } from '../model/accounts/limits.ts';
import type { DestinationRules } from '../model/links/destinations/destinations.ts';
import type { Reads, Writes } from '../model/storage.ts';
import type { BrandOf } from './brands.ts';
import type { ExcludedVisits } from './excluded-visits.ts';
import type { Follow } from './follow.ts';
import type { GateOptions } from './gate.ts';
import type { Outcomes } from './outcomes.ts';
import type { Refuse } from './refusals.ts';
import type { Fail } from './send.ts';
import type { UnknownCodes } from './unknown-codes.ts';

/** Dependencies shared by all visit handlers. */
export interface RedirectParts {
  readonly storage: Pick<Reads, 'findHost' | 'findTarget' | 'preview' | 'hasClicksLeft'> &
    Pick<Writes, 'consumeClick'>;
  /** Rules for the URLs that templates expand to. */
  readonly destinations: DestinationRules;
  /** Rate-limits public QR codes per IP address. */
  readonly qrCodes: Limiter;
  readonly gate: Omit<GateOptions, 'now' | 'baseUrl'>;
  /** Returns milliseconds since the epoch. */
  readonly now: () => number;
  /** Returns the shared domain's base URL, including its path if any, without a trailing slash. */
  readonly baseUrl: () => string;
  readonly newRequestId: () => string;
  readonly brandOf: BrandOf;
  readonly outcomes: Outcomes;
  readonly excluded: ExcludedVisits;
  readonly unknown: UnknownCodes;
  readonly follow: Follow;
  readonly refuse: Refuse;
  readonly fail: Fail;
}
