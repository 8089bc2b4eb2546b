import type { Role } from './roles.ts';

export const mailLanguages = ['en', 'de'] as const;
export type MailLanguage = (typeof mailLanguages)[number];

/** A sign-in or invitation email. */
export interface Email {
  readonly to: string;
  readonly language: MailLanguage;
  readonly account: string;
  /** Name of the member who sends the email; null if there is none. */
  readonly from: string | null;
  /** Role of the invited person; undefined for a sign-in link. */
  readonly role?: Role | undefined;
  /** The one-time sign-in link or the invitation link. */
  readonly url: string;
  /** When the link expires, ms since the epoch. */
  readonly expiresAt: number;
}

/** Sends emails. Exists only if SMTP is configured. */
export interface Mailer {
  /**
   * Sends an email. Takes a few seconds at most and never throws.
   * @param accountId the account whose rate limit applies
   * @returns true if the server accepted the message
   */
  send(email: Email, accountId: number): Promise<boolean>;
}
