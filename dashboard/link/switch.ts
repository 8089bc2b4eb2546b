import { api } from '../data/client.ts';
import { showFailure } from '../data/explain.ts';
import type { FullLink } from '../data/links/links.ts';
import { linksChanged } from '../data/links/list.ts';
import { notifyWithUndo } from '../data/undo.ts';
import { t } from './texts.ts';

/** Disables or enables a link. */
export async function switchLink({ id, shortCode, disabled }: FullLink): Promise<void> {
  const set = async (isOff: boolean) => {
    await api.updateLink(id, { disabled: isOff });
    linksChanged();
  };
  const shown = `/${shortCode}`;
  const [off, on] = [t.link.switchedOff(shown), t.link.switchedOn(shown)];
  try {
    await set(!disabled);
    notifyWithUndo(disabled ? on : off, disabled ? off : on, () => set(disabled));
  } catch (error) {
    showFailure(error);
  }
}
