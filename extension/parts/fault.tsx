import { Icon } from '../../dashboard/components/icon.tsx';
import { t } from '../browser/texts.ts';
import type { Fault } from '../data/faults.ts';

/** Shows an error message, with a button that opens the settings if the error can be fixed there. */
export function FaultNote({ fault }: { readonly fault: Fault | undefined }) {
  if (fault === undefined) return null;
  return (
    <div class="fault-note" role="alert">
      <Icon name="alert" />
      <p>{fault.text}</p>
      {fault.isOfSettings && document.body.classList.contains('popup') && (
        <button type="button" class="button second small" onClick={() => chrome.runtime.openOptionsPage()}>
          {t('settings')}
        </button>
      )}
    </div>
  );
}
