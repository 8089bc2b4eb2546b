import type { UpdateMemberInput, UpdateWebhookInput } from '../../src/client/client.ts';
import type { PlainName } from './plain.ts';

type LinkField =
  | Exclude<PlainName, 'customCode' | 'prefix' | 'length' | 'ifExists'>
  | 'destinationUrl'
  | 'shortCode'
  | 'aliases'
  | 'hasPassword'
  | 'managedBy';
type RecordField = keyof UpdateWebhookInput | keyof UpdateMemberInput;

/**
 * Field labels. A missing label for a link, webhook or member field is a type error. Labels for other fields are
 * optional.
 */
export type FieldNames = Readonly<Record<LinkField | RecordField, string>> & Readonly<Record<string, string>>;
