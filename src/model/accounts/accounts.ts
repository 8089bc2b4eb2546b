export interface Account {
  readonly id: number;
  readonly name: string;
  readonly createdAt: number;
  readonly suspendedAt: number | null;
}

/** Account-wide settings that an owner can change. */
export interface AccountSettings {
  /** Whether link destinations are monitored. */
  readonly watchDestinations: boolean;
  /** IP addresses and networks in CIDR notation. Visits from them are not counted. */
  readonly excludedNetworks: readonly string[];
  /** URL schemes of apps that redirect rules may open. */
  readonly appSchemes: readonly string[];
}

/** Settings to change. Omitted settings stay unchanged. */
export type AccountSettingsChange = {
  readonly [N in keyof AccountSettings]?: AccountSettings[N] | undefined;
};

/** Maximum number of excluded networks per account. */
export const maxExcludedNetworks = 50;

/** Folds an account name for comparison: names that differ only in case (`Acme`, `acme`) are not allowed to coexist. */
export function foldAccountName(name: string): string {
  return name.normalize('NFKC').toLowerCase();
}
