const hostLike = /^(?:[\p{L}\d-]+\.)+[\p{L}\d-]{2,}(?::\d+)?(?:[/?#]|$)/u;

/**
 * Reads what was typed or pasted as a URL: `example.com/a` gets its scheme, and spaces after the host are percent-encoded.
 * @returns undefined if it is no web address
 */
export function normalUrl(text: string): string | undefined {
  const trimmed = text.trim();
  const typed = hostLike.test(trimmed) ? `https://${trimmed}` : trimmed;
  const [start = ''] = /^[^/?#]*:\/\/[^/?#]*/.exec(typed) ?? [];
  const url = start + typed.slice(start.length).replaceAll(' ', '%20');
  if (!/^https?:\/\/[^/?#\s]/i.test(url) || /\s/.test(url)) return undefined;
  return URL.canParse(url) ? url : undefined;
}
