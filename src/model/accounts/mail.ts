import type { Role } from './roles.ts';

export const mailLanguages = ['en', 'de'] as const;
export type MailLanguage = (typeof mailLanguages)[number];

/** A link of a person, to be sent to them. */
export interface Letter {
  readonly to: string;
  readonly language: MailLanguage;
  readonly account: string;
  /** What the person who sends it is called; null when no person does. */
  readonly from: string | null;
  /** What they are invited as; undefined for a link that signs in somebody who is a member. */
  readonly role?: Role | undefined;
  /** It works once. */
  readonly url: string;
  /** When it ends, ms since the epoch. */
  readonly expiresAt: number;
}

/** What sends letters, where the operator has named a server that takes them. */
export interface Mailer {
  /**
   * Takes some seconds at most, and never fails.
   * @param accountId whose letters are counted
   * @returns whether the server took it
   */
  send(letter: Letter, accountId: number): Promise<boolean>;
}
