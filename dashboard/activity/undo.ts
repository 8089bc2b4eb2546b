import type { AuditResult } from '../../src/client/client.ts';
import { api } from '../data/client.ts';
import { showFailure } from '../data/explain.ts';
import { changed } from '../data/links/changes.ts';
import { notifyWithUndo } from '../data/undo.ts';
import { restoreVersion } from '../history/restore.ts';
import { t } from './texts.ts';

export type Undo = () => void;
type Write = (id: string) => Promise<unknown>;

const remove: Write = (id) => api.deleteLink(id);
const restore: Write = (id) => api.restoreLink(id);
/** API calls that undo and redo each action. */
const inverses: Readonly<Record<string, readonly [undo: Write, redo: Write]>> = {
  'link.created': [remove, restore],
  'link.restored': [remove, restore],
  'link.deleted': [restore, remove],
  'folder.deleted': [(id) => api.restoreFolder(id), (id) => api.deleteFolder(id)],
};

/** Returns a function that undoes an activity log entry, or undefined if the entry cannot be undone. */
export function undoOf({ action, target: { id }, revision }: AuditResult['data'][number]): Undo | undefined {
  if (id === null) return undefined;
  if (/^link\.(?:updated|moved|tagged|rolled-back)$/.test(action) && revision !== null)
    return () => void restoreVersion({ id }, revision - 1, revision);
  const [undo, redo] = inverses[action] ?? [];
  if (undo === undefined || redo === undefined) return undefined;
  const run = async (write: Write) => {
    await write(id);
    void changed();
  };
  return () =>
    void run(undo).then(
      () => notifyWithUndo(t.activity.reverted, t.activity.redone, () => run(redo)),
      showFailure,
    );
}
