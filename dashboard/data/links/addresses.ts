const hostLike = /^(?:[\p{L}\d-]+\.)+[\p{L}\d-]{2,}(?::\d+)?(?:[/?#]|$)/u;

/**
 * Normalizes a typed or pasted URL: adds the scheme to `example.com/a`, and percent-encodes spaces after the host.
 * @returns undefined if it is not a web URL
 */
export function normalUrl(text: string): string | undefined {
  const trimmed = text.trim();
  const typed = hostLike.test(trimmed) ? `https://${trimmed}` : trimmed;
  const [start = ''] = /^[^/?#]*:\/\/[^/?#]*/.exec(typed) ?? [];
  const url = start + typed.slice(start.length).replaceAll(' ', '%20');
  if (!/^https?:\/\/[^/?#\s]/i.test(url) || /\s/.test(url)) return undefined;
  return URL.canParse(url) ? url : undefined;
}
