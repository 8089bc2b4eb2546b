/** Saved filters and sort order of the list, stored by the account. */
export interface View {
  readonly name: string;
  /** As in the URL: `?tag=print&sort=clicks`. */
  readonly query: string;
}

/** Parses the account's stored views. Other clients may have written them, so invalid entries are skipped. */
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

/** Returns the part of a URL that determines a list, without the dialog over it. */
const ofList = ['q', 'status', 'folder', 'tag', 'not', 'since', 'until', 'host', 'domain', 'sort'];

export function queryOfList(params: URLSearchParams): string {
  const own = new URLSearchParams([...params].filter(([name]) => ofList.includes(name)));
  own.sort();
  return own.size === 0 ? '' : `?${own}`;
}
