/** Dashboard preferences of an account or a member, shared by all of their devices. */
export interface Preferences {
  /** The preferences as a JSON string. */
  readonly value: string;
  readonly updatedAt: number;
}
