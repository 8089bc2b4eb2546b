import type { Problem } from '../../failures.ts';
import { type Destination, isProblem } from './destinations.ts';

/** The longest texts of a card, characters. Networks cut them far earlier. */
export const longestCardTitle = 255;
export const longestCardDescription = 1_000;

/** What chats and networks show of a link instead of what its destination says of itself. */
export interface Card {
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  /** Of a picture that fetchers load: https. */
  readonly image?: string | undefined;
}

/**
 * What is wrong with the image of a card, whose shape is right already.
 * @param readUrl checks a URL like the destination of a link
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
  const message = `${field} must start with https://, as many networks load no other pictures.`;
  return [{ field, reason: 'invalid_format', message, code }];
}
