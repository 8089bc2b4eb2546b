import type { Notice } from '../../importers/format.ts';
import { exits, Stop } from '../terminal/exits.ts';
import { clean } from '../terminal/print.ts';

/** Names of unused columns per table. */
export type UnusedColumns = Record<string, readonly string[]>;

/** Maximum number of warnings shown. The import file contains all of them. */
export const shownWarnings = 10;

export const strictHelp = 'exit with 2 if a column is not used or a value could not be read';

export function noticeText(notice: Notice): string {
  const text =
    notice.type === 'unused'
      ? `Unused columns: ${notice.columns.join(', ').slice(0, 2_000)} (${notice.where})`
      : `${notice.where}, ${notice.column}: ${notice.reason}`;
  return clean(text);
}

/** Ends the command with an error for `--strict`. @throws Stop if a column was not used or a value could not be read */
export function stopIfStrict(warnings: number, unusedColumns: UnusedColumns, before = ''): void {
  if (warnings + Object.keys(unusedColumns).length > 0)
    throw new Stop(
      exits.usage,
      `${before}Some columns or values are not used, which --strict does not allow.`,
    );
}
