import * as z from 'zod';
import { longestUtm } from '../../model/links/destinations/utm.ts';
import { text } from '../fields.ts';

const value = text(1, longestUtm).optional();

/** The UTM parameters of a link as clients send and read them, as long as statistics tell them apart. */
export const utmFields = z
  .strictObject({
    source: value.describe('`utm_source`: where visitors come from, such as `newsletter`.'),
    medium: value.describe('`utm_medium`: by what means, such as `email`.'),
    campaign: value.describe('`utm_campaign`: what it is about, such as `spring-sale`.'),
    term: value.describe('`utm_term`: the words that were searched for or paid for.'),
    content: value.describe('`utm_content`: which of several links to the same place.'),
  })
  .meta({ id: 'Utm', description: 'UTM parameters; those that are not set are not there.' });
