export interface Account {
  readonly id: number;
  readonly name: string;
  readonly createdAt: number;
  readonly suspendedAt: number | null;
}

/** Account-wide settings that an owner can change. */
export interface AccountSettings {
  /** Whether destinations of links are monitored. */
  readonly watchDestinations: boolean;
}

/** Folds an account name for comparison: names that differ only in case (`Acme`, `acme`) are not allowed to coexist. */
export function foldAccountName(name: string): string {
  return name.normalize('NFKC').toLowerCase();
}
