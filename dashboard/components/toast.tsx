import { useEffect, useRef } from 'preact/hooks';
import { currentNotice, dismissNotice } from '../data/undo.ts';
import { t } from '../texts/texts.ts';

import { Icon } from './icon.tsx';
import { Keys } from './keys.tsx';

const staysMs = 8_000;

/** Toast about the last action, with an undo button. Stays visible while hovered or focused. */
export function Toast({ onUndo, isAboveBar }: { readonly onUndo: () => void; readonly isAboveBar: boolean }) {
  const now = currentNotice.value;
  const timer = useRef(0);
  const stay = () => clearTimeout(timer.current);
  const leave = () => {
    stay();
    if (now !== undefined && now.onCancel === undefined)
      timer.current = window.setTimeout(() => dismissNotice(now.id), staysMs);
  };
  useEffect(() => {
    leave();
    return stay;
  }, [now]);
  return (
    <div role="status">
      {now !== undefined && (
        <div
          class={`toast ${isAboveBar ? 'above-bar' : ''}`}
          onMouseEnter={stay}
          onMouseLeave={leave}
          onFocusCapture={stay}
          onBlurCapture={leave}
        >
          <span>{now.text}</span>
          {now.canUndo && (
            <button type="button" class="undo" onClick={onUndo}>
              {t.undo}
              <Keys keys="z" />
            </button>
          )}
          {now.onCancel === undefined ? (
            <button type="button" class="close" aria-label={t.close} onClick={() => dismissNotice(now.id)}>
              <Icon name="close" />
            </button>
          ) : (
            <button type="button" class="undo" onClick={now.onCancel}>
              {t.cancel}
            </button>
          )}
        </div>
      )}
    </div>
  );
}
