/**
 * A folder may hold more links than one transaction should change while other writes wait, and its deletion may be undone. So its
 * row says that it is deleted: from that commit on it is gone, and its links, whatever their rows say, are in no folder. The rows
 * follow an hour later, batch by batch (docs/decisions/links.md). So every statement that reads `folders` or
 * `links.folder_id` reads them by what stands here.
 */

function deletedOf(account: string): string {
  return `FROM folders d WHERE d.account_id = ${account} AND d.deleted = 1`;
}

/** An expression: the folder of a link, given as a table or its alias. Costs a link in no folder nothing. */
export function folderIdOf(link: string): string {
  const id = `${link}.folder_id`;
  const isDeleted = `EXISTS (SELECT 1 ${deletedOf(`${link}.account_id`)} AND d.id = ${id})`;
  return `CASE WHEN ${id} IS NOT NULL AND NOT ${isDeleted} THEN ${id} END`;
}

/** A subquery that answers one number: the folders of an account whose links are still to be emptied out. */
export function deletedFolders(account: string): string {
  return `(SELECT CAST(COUNT(*) AS BIGINT) ${deletedOf(account)})`;
}

/**
 * Conditions of which each link in no folder meets exactly one.
 * @param link an alias; the second condition has the account as its one parameter
 */
export function inNoFolder(link: string): readonly [string, string] {
  return [`${link}.folder_id IS NULL`, `${link}.folder_id IN (SELECT d.id ${deletedOf('?')})`];
}
