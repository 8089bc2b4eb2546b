import { Dialog } from '../components/dialog.tsx';
import { me, signingInAgain } from '../data/session-state.ts';
import { t } from './texts.ts';
import { Ways } from './ways.tsx';

/** Covers the page while an action requires the user to authenticate again. */
export function Again() {
  return (
    <Dialog title={t.again.title} width="26rem" onClose={() => signingInAgain.peek()?.(false)}>
      <p class="soft">{t.again.about}</p>
      <Ways isPerson={me.value?.person != null} />
    </Dialog>
  );
}
