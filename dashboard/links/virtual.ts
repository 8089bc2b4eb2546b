/** The rows that must be there, of many of one height. */
export interface Window {
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
}

/**
 * @param top how far the list's first row is above the upper edge of the window, px; negative when it is below
 * @param spare so many rows more at both ends
 */
export function visibleRows(
  top: number,
  height: number,
  rowHeight: number,
  count: number,
  spare: number,
): Window {
  const first = Math.floor(top / rowHeight) - spare;
  const last = Math.ceil((top + height) / rowHeight) + spare;
  const from = Math.max(0, Math.min(first, count));
  return { from, to: Math.max(from, Math.min(last, count)) };
}

/** Where to scroll so that a row is in sight; undefined when it is. `covered`: px at both edges that other things lie over. */
export function scrollTo(
  index: number,
  rowHeight: number,
  listTop: number,
  view: {
    readonly top: number;
    readonly height: number;
    readonly coveredTop: number;
    readonly coveredBottom: number;
  },
): number | undefined {
  const rowTop = listTop + index * rowHeight;
  if (rowTop < view.top + view.coveredTop) return Math.max(0, rowTop - view.coveredTop);
  const bottom = view.top + view.height - view.coveredBottom;
  return rowTop + rowHeight > bottom ? rowTop + rowHeight - view.height + view.coveredBottom : undefined;
}
