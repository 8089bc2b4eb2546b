import { useLayoutEffect, useRef } from 'preact/hooks';
import { createKeyboard, isTextField, type Layer, type Shortcuts } from './keyboard.ts';

export const keyboard = createKeyboard();

/** Begins to hear the keyboard; called once. */
export function hearKeyboard(): void {
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

/** Binds keys while the component is there. The newest component is asked first. */
export function useShortcuts(
  shortcuts: Shortcuts,
  { isModal = false, isEverywhere = false }: Omit<Layer, 'shortcuts'> = {},
): void {
  const current = useRef(shortcuts);
  current.current = shortcuts;
  // At once: an effect would take a dialog's keys away only after the next frame, and swallow what is pressed till then.
  useLayoutEffect(
    () => keyboard.add({ shortcuts: () => current.current, isModal, isEverywhere }),
    [isModal, isEverywhere],
  );
}
