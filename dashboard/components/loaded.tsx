import type { ComponentChildren } from 'preact';
import { Failure, SkeletonRows } from './states.tsx';

interface LoadedProps<T> {
  /** Undefined until the content is loaded. */
  readonly value: T | undefined;
  readonly error: unknown;
  /** Error message if loading fails. */
  readonly failed: string;
  readonly onRetry: () => unknown;
  /** Number of placeholder rows. */
  readonly rows?: number;
  readonly children: (value: T) => ComponentChildren;
}

/** Shows the content once it has loaded. Until then, shows a placeholder, or the error if loading failed. */
export function Loaded<T>({ value, error, failed, onRetry, rows = 3, children }: LoadedProps<T>) {
  if (value !== undefined) return <>{children(value)}</>;
  if (error === undefined) return <SkeletonRows count={rows} />;
  return <Failure title={failed} error={error} onRetry={() => void onRetry()} />;
}
