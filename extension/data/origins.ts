/** Returns the origin of a typed URL or host, by default with https; undefined if it is invalid. */
export function originOf(typed: string): string | undefined {
  const text = typed.trim();
  const url = /^https?:\/\//i.test(text) ? text : `https://${text}`;
  if (text === '' || !URL.canParse(url)) return undefined;
  const { hostname, origin } = new URL(url);
  // Chrome accepts spaces in host names.
  return /^[\w.[\]:-]+$/.test(hostname) ? origin : undefined;
}

/** Returns the URL of a golink. Its host is always that of `base`, whatever the text is. */
export function golinkUrl(base: string, text: string): string {
  return new URL(`${base}/${text.trim().replace(/^[\\/]+/, '')}`).href;
}
