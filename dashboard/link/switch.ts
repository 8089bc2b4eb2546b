import { explain } from '../components/states.tsx';
import { api } from '../data/client.ts';
import { linksChanged } from '../data/link-list.ts';
import type { WholeLink } from '../data/links.ts';
import { did, tell } from '../data/undo.ts';
import { t } from '../texts/later.ts';

/** Switches a link off, or on again. */
export async function switchLink({ id, shortCode, disabled }: WholeLink): Promise<void> {
  const set = async (isOff: boolean) => {
    await api.updateLink(id, { disabled: isOff });
    linksChanged();
  };
  const shown = `/${shortCode}`;
  const [off, on] = [t.limits.switchedOff(shown), t.limits.switchedOn(shown)];
  try {
    await set(!disabled);
    did(disabled ? on : off, disabled ? off : on, () => set(disabled));
  } catch (error) {
    tell(explain(error), { isError: true });
  }
}
