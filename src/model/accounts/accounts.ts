export interface Account {
  readonly id: number;
  readonly name: string;
  readonly createdAt: number;
  readonly suspendedAt: number | null;
}

/** The form in which the names of two accounts must differ: people would confuse `Acme` and `acme`. */
export function foldAccountName(name: string): string {
  return name.normalize('NFKC').toLowerCase();
}
