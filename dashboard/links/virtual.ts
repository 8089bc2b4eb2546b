/** Range of rows to render, for rows of equal height. */
export interface Window {
  readonly from: number;
  /** Index after the last row. */
  readonly to: number;
}

/**
 * Returns the range of rows in the window.
 * @param top distance in px from the top edge of the window up to the list's first row; negative if the row is below
 * the edge
 * @param spare number of additional rows at each end
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

/**
 * Returns the scroll position that makes a row visible, or undefined if the row is already visible. `coveredTop` and
 * `coveredBottom` are the heights in px that other elements cover.
 */
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
