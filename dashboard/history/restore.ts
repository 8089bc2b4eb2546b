import { api } from '../data/client.ts';
import { showFailure } from '../data/explain.ts';
import { changed } from '../data/links/changes.ts';
import { notifyWithUndo } from '../data/undo.ts';
import { list } from '../texts/format.ts';
import { t } from './texts.ts';
import { fieldName } from './words.ts';

/**
 * Restores a version of a link and registers an undo. Fails if the link is no longer at the expected revision.
 * @param current the link's expected current revision
 */
export async function restoreVersion(
  { id }: { readonly id: string },
  revision: number,
  current: number,
): Promise<void> {
  try {
    const { kept, revision: now } = await api.rollBackLink(id, revision, { ifMatch: current });
    const fields = list(kept.map(fieldName));
    notifyWithUndo(
      kept.length === 0 ? t.history.done : t.history.kept(fields),
      t.history.undone,
      async () => {
        await api.rollBackLink(id, current, { ifMatch: now });
        void changed();
      },
    );
  } catch (error) {
    showFailure(error);
  }
  void changed();
}
