import { idText } from '../../../model/ids.ts';

/** A folder or tag with the number of its live links. */
export interface GroupRow {
  readonly id: Uint8Array;
  readonly name: string;
  readonly links: number;
  readonly created_at: number;
  readonly updated_at: number;
}

export function groupOf(row: GroupRow) {
  return {
    id: idText(row.id),
    name: row.name,
    linkCount: row.links,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
