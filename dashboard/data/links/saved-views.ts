/** Saved filters and sort order for the link list, stored in the account. */
export interface View {
  readonly name: string;
  /** Query string as in the URL, such as `?tag=print&sort=clicks`. */
  readonly query: string;
}

/** Parses the account's stored views. Skips invalid entries, because other clients may also write views. */
export function readViews(text: string | undefined): readonly View[] {
  try {
    const read: unknown = JSON.parse(text ?? '[]');
    return (Array.isArray(read) ? read : []).flatMap(({ name, query }: Partial<View>) =>
      typeof name === 'string' && typeof query === 'string' ? [{ name, query }] : [],
    );
  } catch {
    return [];
  }
}

/** URL parameters that determine a list. Excludes the parameters for dialogs. */
const ofList = ['q', 'status', 'folder', 'tag', 'not', 'since', 'until', 'host', 'domain', 'sort'];

export function queryOfList(params: URLSearchParams): string {
  const own = new URLSearchParams([...params].filter(([name]) => ofList.includes(name)));
  own.sort();
  return own.size === 0 ? '' : `?${own}`;
}
