import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import type { Shortcuts } from '../browser/keyboard.ts';
import { useShortcuts } from '../browser/shortcuts.ts';
import { t } from '../texts/texts.ts';

import { Button } from './button.tsx';

interface DialogProps {
  readonly title: ComponentChildren;
  /** Shown next to the title. */
  readonly aside?: ComponentChildren;
  /** Buttons at the right of the head, before the close button. */
  readonly tools?: ComponentChildren;
  readonly foot?: ComponentChildren;
  readonly width?: string;
  readonly class?: string;
  /** If omitted, there is no close button, and Esc does nothing. */
  readonly onClose?: (() => void) | undefined;
  readonly shortcuts?: Shortcuts;
  /** Whether the dialog contains only text, which must then be scrollable by keyboard. */
  readonly isText?: boolean;
  /** Called on submit; turns the dialog into a form. */
  readonly onSubmit?: () => void;
  readonly children: ComponentChildren;
}

/** Native dialog over the page; on phones a bottom sheet. Open while mounted. */
export function Dialog(props: DialogProps) {
  const { title, aside, tools, foot, width, onClose, onSubmit, shortcuts = {}, children } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();

  useLayoutEffect(() => {
    const { current } = dialog;
    current?.showModal();
    if (width !== undefined) current?.style.setProperty('--dialog-width', width);
    // Closing returns the focus to the element that opened it.
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
        {/* Enter in a field submits the form, if there is one. */}
        {onSubmit !== undefined && <button type="submit" class="unseen" tabIndex={-1} aria-hidden="true" />}
      </form>
      {foot !== undefined && <div class="dialog-foot">{foot}</div>}
    </dialog>
  );
}

/**
 * Captures key presses from the moment a dialog is requested: while it loads, nothing below receives them, and Esc
 * cancels it.
 */
export function HoldKeys({ onEscape }: { readonly onEscape: () => void }) {
  useShortcuts({ escape: onEscape }, { isModal: true });
  return null;
}

/** Inputs and buttons in reading order. */
const reachable = 'input, textarea, select, button, a[href], [tabindex="0"]';

/** Focuses the first field of a dialog once there is one, never its close button. */
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
    // A select already has a value, so prefer a field after it.
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
  /** Shortcut of the main action; null for none. */
  readonly keys?: string | null;
  readonly isBusy?: boolean;
  readonly disabledReason?: string | undefined;
  /** Content before the buttons. */
  readonly children?: ComponentChildren;
}

/** Footer of a dialog: cancel and main action. */
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

/** Closes a bottom sheet that is dragged down by its head. */
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
