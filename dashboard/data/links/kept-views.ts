/** Filters and an order of the list, kept by the account under a name. */
export interface View {
  readonly name: string;
  /** As the address has it: `?tag=print&sort=clicks`. */
  readonly query: string;
}

/** What the account keeps as views. Other clients may have written it, so what makes no sense is left out. */
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

/** The part of an address that says what a list shows: without the dialog over it. */
const ofList = ['q', 'status', 'folder', 'tag', 'not', 'since', 'until', 'host', 'domain', 'sort'];

export function queryOfList(params: URLSearchParams): string {
  const own = new URLSearchParams([...params].filter(([name]) => ofList.includes(name)));
  own.sort();
  return own.size === 0 ? '' : `?${own}`;
}
