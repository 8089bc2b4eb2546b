import type { ComponentChildren } from 'preact';
import { Failure, SkeletonRows } from './states.tsx';

interface LoadedProps<T> {
  /** Undefined until it was read. */
  readonly value: T | undefined;
  readonly error: unknown;
  /** What is said where it could not be read. */
  readonly failed: string;
  readonly onRetry: () => unknown;
  /** How many rows are hinted at meanwhile. */
  readonly rows?: number;
  readonly children: (value: T) => ComponentChildren;
}

/** What was read; until then that it is on its way, or why it could not be. */
export function Loaded<T>({ value, error, failed, onRetry, rows = 3, children }: LoadedProps<T>) {
  if (value !== undefined) return <>{children(value)}</>;
  if (error === undefined) return <SkeletonRows count={rows} />;
  return <Failure title={failed} error={error} onRetry={() => void onRetry()} />;
}
