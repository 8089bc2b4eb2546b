import * as z from 'zod';
import { longestUtm } from '../../model/links/destinations/utm.ts';
import { text } from '../fields.ts';

const value = text(1, longestUtm).optional();

/**
 * Schema for a link's UTM parameters, in requests and responses. Statistics truncate values to the same maximum length.
 */
export const utmFields = z
  .strictObject({
    source: value.describe('`utm_source`: where the traffic comes from, such as `newsletter`.'),
    medium: value.describe('`utm_medium`: marketing medium, such as `email`.'),
    campaign: value.describe('`utm_campaign`: campaign name, such as `spring-sale`.'),
    term: value.describe('`utm_term`: search or paid keywords.'),
    content: value.describe('`utm_content`: distinguishes links to the same destination.'),
  })
  .meta({ id: 'Utm', description: 'UTM parameters; unset ones are absent.' });
