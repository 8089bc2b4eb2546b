/** Settings of earlier versions, and what to do instead. */
export const removedSettings: Readonly<Record<string, string>> = {
  CLICK_SINK:
    'was removed: every click is kept in a journal first. Give the node a disk for DATA_DIR (a volume), and unset it',
  DATABASE_REPLICA_URLS:
    'was removed and does nothing: links that are not in memory are looked up at DATABASE_URL. Unset it, and raise LINKS_IN_MEMORY if the primary has too much to do',
};

/** Whether a removed setting is an error, because clicks would be kept in another way than the operator chose. */
export function isRefused(name: string, value: string | undefined): boolean {
  return name === 'CLICK_SINK' && value === 'database';
}
