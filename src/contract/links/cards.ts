import * as z from 'zod';
import { longestCardDescription, longestCardTitle } from '../../model/links/destinations/cards.ts';
import { text } from '../fields.ts';

/** Social card of a link in requests and responses. */
export const linkCard = z
  .strictObject({
    title: text(1, longestCardTitle).optional(),
    description: text(1, longestCardDescription).optional(),
    image: text(1, 8_192)
      .meta({ pattern: '^ *[Hh][Tt][Tt][Pp][Ss]://[^\\u0000-\\u001f]*$' })
      .optional()
      .describe(
        'https URL with the same checks as a link’s destination. Crawlers load the image; this server never does.',
      ),
  })
  .meta({
    id: 'LinkCard',
    description: 'Social card: what messengers and social networks show for a link. Unset fields are absent.',
  });
