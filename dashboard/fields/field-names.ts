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

/** Names of fields. A field of a link, webhook or member without a name does not compile; others may have one. */
export type FieldNames = Readonly<Record<LinkField | RecordField, string>> & Readonly<Record<string, string>>;
