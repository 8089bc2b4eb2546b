/** Version of the import format, which docs/import-format.md describes. */
export const formatVersion = 1;
/** Maximum length of a line in bytes. */
export const longestLine = 1_000_000;
