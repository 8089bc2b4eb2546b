import { Dialog } from '../components/dialog.tsx';
import { me, signingInAgain } from '../data/session-state.ts';
import { t } from './texts.ts';
import { Ways } from './ways.tsx';

/** Lies over the page while what the reader wants asks who they are once more. */
export function Again() {
  return (
    <Dialog title={t.again.title} width="26rem" onClose={() => signingInAgain.peek()?.(false)}>
      <p class="soft">{t.again.about}</p>
      <Ways isPerson={me.value?.person != null} />
    </Dialog>
  );
}
