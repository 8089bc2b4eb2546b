import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import type { Shortcuts } from '../browser/keyboard.ts';
import { useShortcuts } from '../browser/shortcuts.ts';
import { t } from '../texts/texts.ts';

import { Button } from './button.tsx';

interface DialogProps {
  readonly title: ComponentChildren;
  /** Content next to the title. */
  readonly aside?: ComponentChildren;
  /** Buttons on the right of the header, before the close button. */
  readonly tools?: ComponentChildren;
  readonly foot?: ComponentChildren;
  readonly width?: string;
  readonly class?: string;
  /** Called when the user closes the dialog. If omitted, there is no close button, and Esc does nothing. */
  readonly onClose?: (() => void) | undefined;
  readonly shortcuts?: Shortcuts;
  /**
   * Whether the dialog contains only text. If so, its body is focusable, so that users can scroll with the keyboard.
   */
  readonly isText?: boolean;
  /** Called on submit. If set, the dialog is a form. */
  readonly onSubmit?: () => void;
  readonly children: ComponentChildren;
}

/** Native modal dialog, or a bottom sheet on phones. Open while mounted. */
export function Dialog(props: DialogProps) {
  const { title, aside, tools, foot, width, onClose, onSubmit, shortcuts = {}, children } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();

  useLayoutEffect(() => {
    const { current } = dialog;
    current?.showModal();
    if (width !== undefined) current?.style.setProperty('--dialog-width', width);
    // Closing the dialog returns the focus to the element that opened the dialog.
    return () => current?.close();
  }, []);
  useFirstFocus(dialog);
  useShortcuts(
    {
      escape: () => onClose?.(),
      ...(onSubmit === undefined ? {} : { 'mod+enter': onSubmit }),
      ...shortcuts,
    },
    { isModal: true },
  );

  return (
    <dialog
      ref={dialog}
      tabIndex={-1}
      class={`dialog ${props.class ?? ''}`}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        onClose?.();
      }}
      {...dragDown(dialog, onClose)}
    >
      <div class="grip" />
      <div class="dialog-head">
        <h2 id={titleId}>{title}</h2>
        {aside !== undefined && <span class="aside">{aside}</span>}
        <div class="end">
          {tools}
          {onClose !== undefined && (
            <Button kind="quiet" size="small" icon="close" label={t.close} onClick={onClose} />
          )}
        </div>
      </div>
      <form
        class="dialog-body"
        {...(props.isText ? { tabIndex: 0 } : {})}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit?.();
        }}
      >
        {children}
        {/* Hidden submit button, so that pressing Enter in a field submits the form. */}
        {onSubmit !== undefined && <button type="submit" class="unseen" tabIndex={-1} aria-hidden="true" />}
      </form>
      {foot !== undefined && <div class="dialog-foot">{foot}</div>}
    </dialog>
  );
}

/**
 * Captures key presses from the moment a dialog is requested. While the dialog loads, the screen below receives no key
 * presses, and Esc cancels the dialog.
 */
export function HoldKeys({ onEscape }: { readonly onEscape: () => void }) {
  useShortcuts({ escape: onEscape }, { isModal: true });
  return null;
}

/** Selector for inputs, buttons and links. */
const reachable = 'input, textarea, select, button, a[href], [tabindex="0"]';

/** Focuses a dialog's first field as soon as it is rendered. Never focuses the close button. */
function useFirstFocus(dialog: { readonly current: HTMLDialogElement | null }): void {
  const isPlaced = useRef(false);
  useLayoutEffect(() => {
    const { activeElement } = document;
    const body = dialog.current?.querySelector('.dialog-body');
    const isElsewhere = body?.contains(activeElement) || activeElement?.closest('.dialog-foot');
    if (isPlaced.current || body == null) return;
    const all = [...body.querySelectorAll<HTMLElement>(reachable)].filter(
      (one) =>
        one.tabIndex >= 0 && !one.hasAttribute('disabled') && !one.matches('[type=radio]:not(:checked)'),
    );
    // A select already has a value, so prefer any other field.
    const first = all.find((one) => !one.matches('select')) ?? all[0];
    isPlaced.current = first !== undefined;
    if (!isElsewhere) (first ?? dialog.current)?.focus();
  });
}

interface DialogFootProps {
  /** Label of the main action. */
  readonly action: string;
  readonly onAction: () => void;
  readonly onCancel: () => void;
  readonly kind?: 'primary' | 'danger';
  /** Shortcut for the main action. Null means no shortcut. */
  readonly keys?: string | null;
  readonly isBusy?: boolean;
  readonly disabledReason?: string | undefined;
  /** Content shown before the buttons. */
  readonly children?: ComponentChildren;
}

/** Dialog footer with the cancel and main buttons. */
export function DialogFoot(props: DialogFootProps) {
  const { action, onAction, onCancel, kind = 'primary', keys = 'mod+enter', children } = props;
  return (
    <>
      {children}
      <Button kind="quiet" keys="escape" onClick={onCancel}>
        {t.cancel}
      </Button>
      <Button
        kind={kind}
        {...(keys !== null && { keys })}
        isBusy={props.isBusy ?? false}
        disabledReason={props.disabledReason}
        onClick={onAction}
        rest={kind === 'danger' ? { autofocus: true } : {}}
      >
        {action}
      </Button>
    </>
  );
}

const farEnough = 90;

/** Closes a bottom sheet when the user drags its header down. */
function dragDown(dialog: { readonly current: HTMLDialogElement | null }, onClose?: () => void) {
  let from: number | undefined;
  return {
    onTouchStart: (event: TouchEvent) => {
      const isHead = event.target instanceof Element && event.target.closest('.grip, .dialog-head') !== null;
      from = isHead && innerWidth < 640 ? event.touches[0]?.clientY : undefined;
    },
    onTouchMove: (event: TouchEvent) => {
      const by = (event.touches[0]?.clientY ?? 0) - (from ?? 0);
      if (from !== undefined) dialog.current?.style.setProperty('translate', `0 ${Math.max(0, by)}px`);
    },
    onTouchEnd: (event: TouchEvent) => {
      if (from === undefined) return;
      const by = (event.changedTouches[0]?.clientY ?? 0) - from;
      dialog.current?.style.removeProperty('translate');
      from = undefined;
      if (by > farEnough) onClose?.();
    },
  };
}
