import type { Problem } from '../../failures.ts';
import { type Destination, isProblem } from './destinations.ts';

/** Maximum lengths of a card's title and description, in characters. Social networks truncate much earlier. */
export const longestCardTitle = 255;
export const longestCardDescription = 1_000;

/** A link's social preview, which replaces the destination's own preview. */
export interface Card {
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  /** An https URL of an image that crawlers can load. */
  readonly image?: string | undefined;
}

/**
 * Returns the validation errors for a well-formed card's image.
 * @param readUrl validates a URL by the rules for destinations
 */
export function cardProblems(
  card: Card | null | undefined,
  readUrl: (url: string) => Destination | Problem,
): Problem[] {
  if (typeof card?.image !== 'string') return [];
  const field = 'card.image';
  const code = 'VALIDATION_ERROR';
  const read = readUrl(card.image);
  if (isProblem(read)) return [{ ...read, field, message: read.message.replace(/^url\b/, field), code }];
  if (read.location.startsWith('https:')) return [];
  const message = `${field} must start with https://. Many social networks load images only over https.`;
  return [{ field, reason: 'invalid_format', message, code }];
}
