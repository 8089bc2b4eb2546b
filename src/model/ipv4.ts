const dot = 0x2e;
const zero = 0x30;

/**
 * Parses an IPv4 address in dotted decimal notation without leading zeros. Uses a single pass, because most visitors
 * have an IPv4 address and a regular expression would cost more than all other parsing of a visit.
 * @returns a number from 0 to 2^32 − 1; −1 for other strings
 */
export function ipv4Of(text: string): number {
  if (text.length < 7 || text.length > 15) return -1;
  let address = 0;
  let part = -1;
  let dots = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === dot) {
      if (part < 0 || dots === 3) return -1;
      address = address * 256 + part;
      part = -1;
      dots += 1;
      continue;
    }
    const digit = unit - zero;
    if (digit < 0 || digit > 9 || part === 0) return -1;
    part = part < 0 ? digit : part * 10 + digit;
    if (part > 255) return -1;
  }
  return dots === 3 && part >= 0 ? address * 256 + part : -1;
}
