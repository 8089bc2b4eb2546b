import { idText, isId } from '../../domain/ids.ts';

const matchesNothing = new Uint8Array(0);

/** An id as the database keeps it: 16 bytes instead of 36 characters. A text that is no id matches no row. */
export const idBytes = (id: string): Uint8Array =>
  isId(id) ? Buffer.from(id.replaceAll('-', ''), 'hex') : matchesNothing;

export const idBytesOrNull = (id: string | null): Uint8Array | null => (id === null ? null : idBytes(id));

export const idTextOrNull = (bytes: Uint8Array | null): string | null =>
  bytes === null ? null : idText(bytes);
