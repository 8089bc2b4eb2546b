/**
 * A folder may contain more links than one transaction should change while other writes wait, and its deletion may be
 * undone. So deleting a folder only marks its row. As soon as that is committed, the folder's links count as being in
 * no folder, although their rows still refer to it. An hour later, the rows are updated batch by batch
 * (docs/decisions/links.md). Every statement that reads `folders` or `links.folder_id` must therefore use the
 * expressions in this file.
 */

function fromDeletedFolders(account: string): string {
  return `FROM folders d WHERE d.account_id = ${account} AND d.deleted = 1`;
}

/**
 * Returns an SQL expression for a link's folder; `link` is a table or alias. Evaluating the expression costs nothing
 * for a link in no folder.
 */
export function folderIdOf(link: string): string {
  const id = `${link}.folder_id`;
  const isDeleted = `EXISTS (SELECT 1 ${fromDeletedFolders(`${link}.account_id`)} AND d.id = ${id})`;
  return `CASE WHEN ${id} IS NOT NULL AND NOT ${isDeleted} THEN ${id} END`;
}

/** Returns a subquery that counts an account's deleted folders that links still refer to. */
export function deletedFolders(account: string): string {
  return `(SELECT CAST(COUNT(*) AS BIGINT) ${fromDeletedFolders(account)})`;
}

/**
 * Returns two SQL conditions. Every link that is not in a folder satisfies exactly one of them.
 * @param link table alias of the links. The first condition has no parameters. The only parameter of the second one is
 * the account
 */
export function inNoFolder(link: string): readonly [string, string] {
  return [`${link}.folder_id IS NULL`, `${link}.folder_id IN (SELECT d.id ${fromDeletedFolders('?')})`];
}
