import type { ComponentChildren } from 'preact';
import { LinkfoldError } from '../../src/client/errors.ts';
import { detailsOf, explain } from '../data/explain.ts';
import { t } from '../texts/texts.ts';

import { Button } from './button.tsx';
import { CopyButton } from './copy-button.tsx';
import { Icon } from './icon.tsx';

interface EmptyProps {
  readonly title: string;
  readonly children?: ComponentChildren;
  readonly ways?: ComponentChildren;
  readonly isStacked?: boolean;
  readonly hasPicture?: boolean;
  /** Whether the empty state fills the screen. */
  readonly isScreen?: boolean;
}

/** Empty state that shows what is missing and what to do. */
export function Empty({ title, children, ways, isStacked, hasPicture, isScreen }: EmptyProps) {
  return (
    <div class="state-page">
      {hasPicture && <EmptySlip />}
      {isScreen ? <h1>{title}</h1> : <h2>{title}</h2>}
      {children !== undefined && <p>{children}</p>}
      {ways !== undefined && <div class={`ways ${isStacked ? 'stacked' : ''}`}>{ways}</div>}
    </div>
  );
}

function EmptySlip() {
  return (
    <svg class="picture" width="88" height="62" viewBox="0 0 88 62" fill="none" aria-hidden="true">
      <path d="M1 1h66l20 20v19H1z" fill="var(--card)" stroke="var(--line2)" stroke-width="1.5" />
      <path
        d="M67 1v20h20z"
        fill="var(--tint)"
        stroke="var(--line2)"
        stroke-width="1.5"
        stroke-linejoin="round"
      />
      <path d="M14 18.5h33" stroke="var(--d-mute)" stroke-width="3" stroke-linecap="round" />
      <path d="M14 27.5h21" stroke="var(--line2)" stroke-width="3" stroke-linecap="round" />
      <path d="M2 50h85M2 58h58" stroke="var(--line2)" stroke-width="2" stroke-dasharray="1.5 4.5" />
    </svg>
  );
}

interface FailureProps {
  readonly title: string;
  readonly error: unknown;
  readonly onRetry?: () => void;
  /** Whether the error state fills the screen. */
  readonly isScreen?: boolean;
}

/** Error state that shows what failed, what still works, and what to do. */
export function Failure({ title, error, onRetry, isScreen }: FailureProps) {
  const Heading = isScreen ? 'h1' : 'h2';
  return (
    <div class="state-page failure" role="alert">
      <Heading>
        <Icon name="alert" />
        {title}
      </Heading>
      <p>{explain(error)}</p>
      <div class="ways">
        {onRetry !== undefined && !isForbidden(error) && (
          <Button kind="primary" icon="refresh" onClick={onRetry}>
            {t.tryAgain}
          </Button>
        )}
        <CopyButton text={() => detailsOf(error)}>{t.copyDetails}</CopyButton>
      </div>
      <p class="mono">{detailsOf(error)}</p>
    </div>
  );
}

function isForbidden(error: unknown): boolean {
  return error instanceof LinkfoldError && error.code === 'INSUFFICIENT_SCOPE';
}

/** Placeholder bars for rows. Visible only if loading takes long. */
export function SkeletonRows({ count = 8 }: { readonly count?: number }) {
  return (
    <div class="skeleton-rows" aria-hidden="true">
      {Array.from({ length: count }, (_, at) => (
        <div key={at} class="skeleton-row">
          <span class="skeleton" />
          <span class="skeleton short" />
        </div>
      ))}
    </div>
  );
}

/** Placeholder for a whole screen. */
export function ScreenSkeleton() {
  return (
    <div aria-hidden="true">
      <div class="page-head">
        <div class="title">
          <span class="skeleton" />
        </div>
      </div>
      <SkeletonRows />
    </div>
  );
}
