/** The version of the format of imports; docs/import-format.md describes it. */
export const formatVersion = 1;
/** Longest line of a file, in bytes. */
export const longestLine = 1_000_000;
