/**
 * Shrinks a failing sequence to the steps needed to reproduce the failure. Removes smaller and smaller parts, and
 * finally individual steps.
 * @param most maximum number of calls to `fails`
 */
export async function shrink<T>(
  steps: readonly T[],
  fails: (steps: readonly T[]) => Promise<boolean>,
  most = 400,
): Promise<readonly T[]> {
  let left = steps;
  let asked = 0;
  for (let size = Math.ceil(steps.length / 2); size >= 1; size = Math.floor(size / 2)) {
    for (let at = 0; at < left.length && asked < most; ) {
      const without = left.toSpliced(at, size);
      asked += 1;
      if (await fails(without)) left = without;
      else at += size;
    }
  }
  return left;
}
