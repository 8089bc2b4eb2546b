export interface Account {
  readonly id: number;
  readonly name: string;
  readonly createdAt: number;
  readonly suspendedAt: number | null;
}

/** What an owner may set of an account as a whole. */
export interface AccountSettings {
  /** Whether it is looked at, now and then, where links lead. */
  readonly watchDestinations: boolean;
}

/** The form in which the names of two accounts must differ: people would confuse `Acme` and `acme`. */
export function foldAccountName(name: string): string {
  return name.normalize('NFKC').toLowerCase();
}
