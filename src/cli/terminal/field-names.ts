import type { ApiError } from '../../client/errors.ts';
import { inputsOf } from '../../model/links/link-field-values.ts';
import { draftInputs } from '../../model/links/link-fields.ts';

/** Display names for API fields in messages. */
export type FieldNames = Readonly<Record<string, string>>;

/** API fields that have the same name as their options. */
const sameNames = `
  page limit include search destination createdAfter createdBefore from to timezone class filter compare types size margin color
  background accent logo message contact visit.at visit.query visit.userAgent visit.languages visit.referrer
  visit.country visit.region visit.browser visit.os visit.device visit.class visit.visitor
`
  .trim()
  .split(/\s+/);

/** Display names for API fields that are options or arguments of a command. */
export const optionNames: FieldNames = {
  ...Object.fromEntries(
    sameNames.map((name) => [
      name,
      `--${name.replace('visit.', '').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
    ]),
  ),
  destinationHost: '--host',
  url: 'The URL',
  customCode: '--code',
  ...Object.fromEntries(
    [...inputsOf('shorten'), ...draftInputs].map(({ name, option }) => [name, `--${option}`]),
  ),
  password: 'The password',
  name: 'The name',
  tags: '--tags',
};

/**
 * Returns an API error message in which display names replace the field names.
 * @param names display names by API field name; fields without a display name keep their API name
 */
export function inOptions({ message, details }: ApiError, names: FieldNames = optionNames): string {
  const sentences = details.map((detail) => {
    const name = names[detail.field];
    const isNamed = name !== undefined && detail.message.startsWith(`${detail.field} `);
    return isNamed ? name + detail.message.slice(detail.field.length) : detail.message;
  });
  const code = names['customCode']?.replace('The ', '') ?? 'customCode';
  return (sentences.length === 0 ? message : sentences.join(' '))
    .replace('Choose another customCode.', `Choose another ${code}.`)
    .replace('Use a later time, or null for no expiry.', 'Use a later time.')
    .replace('earlier than expiresAt.', `earlier than ${names['expiresAt'] ?? 'expiresAt'}.`)
    .replace('POST /api/v1/tags/:id/merge', 'linkfold tags merge');
}
