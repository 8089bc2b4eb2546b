/** Dashboard preferences of an account or a member, shared by all their devices. */
export interface Preferences {
  /** JSON. */
  readonly value: string;
  readonly updatedAt: number;
}
