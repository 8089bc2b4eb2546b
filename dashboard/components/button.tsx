import type { ButtonHTMLAttributes, ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { Icon } from './icon.tsx';
import type { IconName } from './icons.ts';
import { Keys } from './keys.tsx';

export interface ButtonProps {
  readonly kind?: 'primary' | 'second' | 'quiet' | 'danger';
  readonly size?: 'small' | 'large';
  readonly icon?: IconName;
  /** Shortcut hint on the right. The screen itself registers the shortcut. */
  readonly keys?: string;
  readonly isBusy?: boolean;
  /** Why the button is disabled. A disabled button stays focusable, so that screen readers announce the reason. */
  readonly disabledReason?: string | undefined;
  /** Renders the button as a link. */
  readonly href?: string;
  /** Accessible name of an icon button. */
  readonly label?: string;
  readonly type?: 'button' | 'submit';
  readonly class?: string;
  readonly onClick?: (event: MouseEvent) => void;
  readonly children?: ComponentChildren;
  /** Additional attributes for the element. */
  readonly rest?: ButtonHTMLAttributes<HTMLButtonElement>;
}

export function Button(props: ButtonProps) {
  const { kind = 'second', size, icon, keys, isBusy, disabledReason, href, label, children, onClick } = props;
  const reasonId = useId();
  const isDisabled = disabledReason !== undefined;
  const name = ['button', kind, size, children === undefined && 'icon-only', props.class]
    .filter(Boolean)
    .join(' ');
  const content = (
    <>
      {icon !== undefined && <Icon name={icon} />}
      {children}
      {keys !== undefined && <Keys keys={keys} />}
      {isDisabled && (
        <span id={reasonId} class="unseen">
          {disabledReason}
        </span>
      )}
    </>
  );
  if (href !== undefined && !isDisabled)
    return (
      <a class={name} href={href} aria-label={label} title={label} onClick={onClick}>
        {content}
      </a>
    );
  return (
    <button
      type={props.type ?? 'button'}
      class={name}
      aria-label={label}
      title={isDisabled ? disabledReason : label}
      aria-busy={isBusy === true ? true : undefined}
      aria-disabled={isDisabled ? true : undefined}
      aria-describedby={isDisabled ? reasonId : undefined}
      onClick={(event) => {
        if (isDisabled || isBusy) event.preventDefault();
        else onClick?.(event);
      }}
      {...props.rest}
    >
      {content}
    </button>
  );
}
