import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import type { Shortcuts } from '../browser/keyboard.ts';
import { useShortcuts } from '../browser/shortcuts.ts';
import { t } from '../texts/texts.ts';

import { Button } from './button.tsx';

interface DialogProps {
  readonly title: ComponentChildren;
  /** Beside the title. */
  readonly aside?: ComponentChildren;
  /** At the right of the head, before the cross. */
  readonly tools?: ComponentChildren;
  readonly foot?: ComponentChildren;
  readonly width?: string;
  readonly class?: string;
  /** Without it there is no cross, and Esc does nothing. */
  readonly onClose?: (() => void) | undefined;
  readonly shortcuts?: Shortcuts;
  /** Whether there is nothing in it but text, which then can be scrolled by keys. */
  readonly isText?: boolean;
  /** Saves; makes the dialog a form. */
  readonly onSubmit?: () => void;
  readonly children: ComponentChildren;
}

/** A native dialog over the page; on phones a sheet from below. It is open as long as it is there. */
export function Dialog(props: DialogProps) {
  const { title, aside, tools, foot, width, onClose, onSubmit, shortcuts = {}, children } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();

  useLayoutEffect(() => {
    const { current } = dialog;
    current?.showModal();
    if (width !== undefined) current?.style.setProperty('--dialog-width', width);
    // Closing gives the focus back to what opened it.
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
        {/* Enter in a field saves, where there is something to save. */}
        {onSubmit !== undefined && <button type="submit" class="unseen" tabIndex={-1} aria-hidden="true" />}
      </form>
      {foot !== undefined && <div class="dialog-foot">{foot}</div>}
    </dialog>
  );
}

/**
 * Holds the keys for a dialog from the press that asks for it on: nothing under it hears them while it is loaded, and Esc takes
 * it back.
 */
export function HoldKeys({ onEscape }: { readonly onEscape: () => void }) {
  useShortcuts({ escape: onEscape }, { isModal: true });
  return null;
}

/** What can be typed in or pressed, in the order of the reader. */
const reachable = 'input, textarea, select, button, a[href], [tabindex="0"]';

/** Puts the focus on the first field of a dialog, once there is one; nothing opens with the focus on its cross. */
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
    // A list has a choice already; what stands behind it waits to be typed.
    const first = all.find((one) => !one.matches('select')) ?? all[0];
    isPlaced.current = first !== undefined;
    if (!isElsewhere) (first ?? dialog.current)?.focus();
  });
}

interface DialogFootProps {
  /** What the dialog is for. */
  readonly action: string;
  readonly onAction: () => void;
  readonly onCancel: () => void;
  readonly kind?: 'primary' | 'danger';
  /** The keys that do it; null where none do. */
  readonly keys?: string | null;
  readonly isBusy?: boolean;
  readonly disabledReason?: string | undefined;
  /** Before the buttons. */
  readonly children?: ComponentChildren;
}

/** The foot of a dialog: away from it without a change, and what it is for. */
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

/** A sheet that is drawn down by its head closes. */
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
