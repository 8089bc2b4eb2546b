/** Selected links: specific ids, or all matching links. */
export interface Selection {
  readonly ids: ReadonlySet<string>;
  /** Start of a range selection. */
  readonly anchor: string | undefined;
  /** Whether every matching link is selected, including links that are not loaded. */
  readonly isAll: boolean;
}

export const nothing: Selection = { ids: new Set(), anchor: undefined, isAll: false };

/** Selects a link, or deselects a selected link. */
export function toggle({ ids }: Selection, id: string): Selection {
  const next = new Set(ids);
  if (!next.delete(id)) next.add(id);
  return { ids: next, anchor: id, isAll: false };
}

/** Selects all rows between the anchor and a link. */
export function extend(selection: Selection, rows: readonly string[], id: string): Selection {
  const { ids, anchor = id } = selection;
  const from = rows.indexOf(anchor);
  const to = rows.indexOf(id);
  if (from < 0 || to < 0) return toggle(selection, id);
  const between = rows.slice(Math.min(from, to), Math.max(from, to) + 1);
  return { ids: new Set([...ids, ...between]), anchor, isAll: false };
}

/** Selects all loaded links. The second call selects all matching links, and the third call clears the selection. */
export function selectAll(selection: Selection, rows: readonly string[], total: number): Selection {
  const hasLoaded = rows.length > 0 && rows.every((id) => selection.ids.has(id));
  if (selection.isAll) return nothing;
  return { ids: new Set(rows), anchor: selection.anchor, isAll: hasLoaded && total > rows.length };
}

/** Returns the number of selected links. */
export function countOf({ ids, isAll }: Selection, total: number): number {
  return isAll ? total : ids.size;
}
