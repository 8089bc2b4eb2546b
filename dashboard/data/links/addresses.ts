const hostLike = /^(?:[\p{L}\d-]+\.)+[\p{L}\d-]{2,}(?::\d+)?(?:[/?#]|$)/u;

/** What was typed, as an address: `example.com/a` gets its scheme. Undefined when it is none. */
export function normalUrl(text: string): string | undefined {
  const trimmed = text.trim();
  const url = hostLike.test(trimmed) ? `https://${trimmed}` : trimmed;
  if (!/^https?:\/\/[^/?#\s]/i.test(url) || /\s/.test(url)) return undefined;
  return URL.canParse(url) ? url : undefined;
}
