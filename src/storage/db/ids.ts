import { idText, isId } from '../../model/ids.ts';

const matchesNothing = new Uint8Array(0);

/** Returns an id as stored: 16 bytes instead of 36 characters. An invalid id matches no row. */
export function idBytes(id: string): Uint8Array {
  return isId(id) ? Buffer.from(id.replaceAll('-', ''), 'hex') : matchesNothing;
}

export function idBytesOrNull(id: string | null): Uint8Array | null {
  return id === null ? null : idBytes(id);
}

export function idTextOrNull(bytes: Uint8Array | null): string | null {
  return bytes === null ? null : idText(bytes);
}
