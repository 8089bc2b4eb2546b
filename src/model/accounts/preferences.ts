/** What the people of an account have chosen for their dashboard: kept as it is, and shown on each of their devices. */
export interface Preferences {
  /** JSON. */
  readonly value: string;
  readonly updatedAt: number;
}
