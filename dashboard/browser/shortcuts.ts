import { useLayoutEffect, useRef } from 'preact/hooks';
import { createKeyboard, isTextField, type Layer, type Shortcuts } from './keyboard.ts';

export const keyboard = createKeyboard();

/** Starts listening for key presses. Called once. */
export function listenToKeyboard(): void {
  addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.isComposing) return;
    const isUsed = keyboard.press({
      key: event.key,
      ctrlKey: event.ctrlKey,
      metaKey: event.metaKey,
      altKey: event.altKey,
      shiftKey: event.shiftKey,
      isInText: isTextField(event.target),
    });
    if (isUsed) event.preventDefault();
  });
}

/** Registers shortcuts while the component is mounted. The most recently mounted component takes precedence. */
export function useShortcuts(
  shortcuts: Shortcuts,
  { isModal = false, isEverywhere = false }: Omit<Layer, 'shortcuts'> = {},
): void {
  const current = useRef(shortcuts);
  current.current = shortcuts;
  // Use a layout effect. A normal effect would remove a dialog's shortcuts only after the next frame. Until then, the
  // closed dialog would swallow key presses.
  useLayoutEffect(
    () => keyboard.add({ shortcuts: () => current.current, isModal, isEverywhere }),
    [isModal, isEverywhere],
  );
}
