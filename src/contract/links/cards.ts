import * as z from 'zod';
import { longestCardDescription, longestCardTitle } from '../../model/links/destinations/cards.ts';
import { text } from '../fields.ts';

/** The card of a link as clients send and read it. */
export const linkCard = z
  .strictObject({
    title: text(1, longestCardTitle).optional(),
    description: text(1, longestCardDescription).optional(),
    image: text(1, 8_192)
      .meta({ pattern: '^ *[Hh][Tt][Tt][Pp][Ss]://[^\\u0000-\\u001f]*$' })
      .optional()
      .describe('https, checked like the destination of a link. Fetchers load it, this server never does.'),
  })
  .meta({
    id: 'LinkCard',
    description: 'What chats and networks show of a link; what is not set is not there.',
  });
