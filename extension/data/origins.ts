/** Returns the origin of a URL or host that the user typed, or undefined if invalid. The default scheme is https. */
export function originOf(typed: string): string | undefined {
  const text = typed.trim();
  const url = /^https?:\/\//i.test(text) ? text : `https://${text}`;
  if (text === '' || !URL.canParse(url)) return undefined;
  const { hostname, origin } = new URL(url);
  // Chrome accepts spaces in host names, so check the host again.
  return /^[\w.[\]:-]+$/.test(hostname) ? origin : undefined;
}

/** Returns the URL of a golink. The URL always has the host of `base`, whatever `text` contains. */
export function golinkUrl(base: string, text: string): string {
  return new URL(`${base}/${text.trim().replace(/^[\\/]+/, '')}`).href;
}
