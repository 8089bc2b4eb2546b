import type { Step } from './steps.ts';

/**
 * Sequences that once failed, always replayed first. Kept as steps, not as seeds: a seed means another sequence as soon as
 * a generator changes. A failure of model.test.ts prints its steps in this form.
 */
export const regressions: readonly { readonly why: string; readonly steps: readonly Step[] }[] = [];
