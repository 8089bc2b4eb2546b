// Encodes the subset of ASN.1 DER (X.690) that certificate requests need.

export const tags = {
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  oid: 0x06,
  utf8: 0x0c,
  sequence: 0x30,
  set: 0x31,
} as const;

/** Encodes an element as its tag, the length of its content, and its content. */
export function element(tag: number, ...content: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(content);
  const bytes: number[] = [];
  for (let left = body.length; left > 0; left >>>= 8) bytes.unshift(left & 0xff);
  const length = body.length < 0x80 ? [body.length] : [0x80 | bytes.length, ...bytes];
  return Buffer.concat([Buffer.from([tag, ...length]), body]);
}

export function sequence(...content: readonly Uint8Array[]): Buffer {
  return element(tags.sequence, ...content);
}

/** Encodes an object identifier. @param dotted dotted notation, such as 2.5.29.17 */
export function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  const bytes = [40 * first + second];
  for (const part of rest) {
    const groups = [part & 0x7f];
    for (let left = part >>> 7; left > 0; left >>>= 7) groups.unshift(0x80 | (left & 0x7f));
    bytes.push(...groups);
  }
  return element(tags.oid, Buffer.from(bytes));
}

export function integer(value: Uint8Array): Buffer {
  // A leading zero byte is needed, because a leading 1 bit would make the number negative.
  return element(tags.integer, (value[0] ?? 0) & 0x80 ? Buffer.from([0]) : Buffer.alloc(0), value);
}

export function bits(value: Uint8Array): Buffer {
  return element(tags.bitString, Buffer.from([0]), value);
}

export function octets(value: Uint8Array): Buffer {
  return element(tags.octetString, value);
}
