const hostLike = /^(?:\{[^{}]*\}\.)?(?:[\p{L}\d-]+\.)+[\p{L}\d-]{2,}(?::\d+)?(?:[/?#]|$)/u;

/**
 * Normalizes a typed or pasted URL: adds the scheme if it is missing (`example.com/a`), and percent-encodes spaces
 * after the host. The host's first label may be a placeholder.
 * @returns undefined if the text is not a web URL
 */
export function normalUrl(text: string): string | undefined {
  const trimmed = text.trim();
  const typed = hostLike.test(trimmed) ? `https://${trimmed}` : trimmed;
  const [start = ''] = /^[^/?#]*:\/\/[^/?#]*/.exec(typed) ?? [];
  const url = start + typed.slice(start.length).replaceAll(' ', '%20');
  if (!/^https?:\/\/[^/?#\s]/i.test(url) || /\s/.test(url)) return undefined;
  return URL.canParse(withLabel(url)) ? url : undefined;
}

/** Replaces a placeholder in the host's first label with "x", because URL parsers reject `|` in a host. */
function withLabel(url: string): string {
  return url.replace(/^(https?:\/\/)\{[^{}]*\}(?=\.)/i, '$1x');
}

/** Returns a destination's host. For a template, the host may contain placeholders. */
export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : (/^https?:\/\/([^/?#]*)/i.exec(url)?.[1] ?? '');
}

/**
 * Splits a template into alternating text and placeholders, starting with text. Placeholders such as `{1|www}` keep
 * their braces. An optional part such as `{path?search?q={path}}` is a single placeholder.
 */
export function splitPlaceholders(template: string): string[] {
  const parts = [''];
  for (const [token] of template.matchAll(/\{\{|\}\}|\{(?:[^{}]|\{[^{}]*\})*\}|[{}]|[^{}]+/g))
    if (/^\{[^{]/.test(token)) parts.push(token, '');
    else parts.push(`${parts.pop()}${token}`);
  return parts;
}
