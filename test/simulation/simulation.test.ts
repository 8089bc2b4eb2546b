import assert from 'node:assert/strict';
import { test } from 'node:test';
import { effort, withSeed } from '../support/random/random.ts';
import { shrink } from '../support/random/shrink.ts';
import { type Facts, simulate } from './simulation.ts';

/** Number of steps in a world, which starts empty. `LINKFOLD_COUNT` is the total number of steps. */
const stepsPerWorld = 1_000;
/** One in this number of worlds is run twice, to check that the runs are equal. */
const replayEvery = 10;
const longestTrace = 150;

function stepsOf(count: number): readonly number[] {
  return Array.from({ length: count }, (_, step) => step);
}

/** Removes IDs and numbers from the text of a violation. The remaining text identifies the broken guarantee. */
function kindOf(violation: string | undefined): string | undefined {
  return violation?.replaceAll(/[0-9a-f]{8}[0-9a-f-]*|\d+/g, '…');
}

/** Returns a description of a violation, reduced to the fewest steps, with its trace. */
async function explain(seed: number, steps: readonly number[], violation: string): Promise<string> {
  const few = await shrink(steps, async (some) => {
    const outcome = await simulate(seed, some);
    return kindOf(outcome.violation) === kindOf(violation);
  });
  const { trace } = await simulate(seed, few);
  const end = trace.findIndex((line) => line.startsWith('VIOLATION'));
  const told = trace.slice(Math.max(0, end - longestTrace), end + 1);
  return `${violation}\nAgain: LINKFOLD_SEED=${seed} LINKFOLD_COUNT=${steps.length}. Of its steps these ${few.length} suffice: ${few.join(' ')}\n${told.join('\n')}`;
}

test('journal, applier, recovery and storage keep their guarantees under any events in any order', (t) => {
  const { seed, count } = effort(2_500);
  return withSeed(t, { seed, count }, async () => {
    const sums: Record<keyof Facts, number> = {
      clicks: 0,
      kills: 0,
      powerCuts: 0,
      starts: 0,
      reads: 0,
      folds: 0,
      lost: 0,
    };
    const hashes = new Set<string>();
    const worlds = Math.ceil(count / stepsPerWorld);
    for (let world = 0; world < worlds; world += 1) {
      const worldSeed = (seed + world) >>> 0;
      const steps = stepsOf(Math.min(stepsPerWorld, count - world * stepsPerWorld));
      const { violation, hash, facts } = await simulate(worldSeed, steps);
      if (violation !== undefined) assert.fail(await explain(worldSeed, steps, violation));
      if (world % replayEvery === 0) {
        assert.equal((await simulate(worldSeed, steps)).hash, hash, 'the same seed is the same run');
      }
      hashes.add(hash);
      for (const name of Object.keys(sums) as (keyof Facts)[]) sums[name] += facts[name];
    }
    assert.equal(hashes.size, worlds, 'another seed is another run');
    t.diagnostic(JSON.stringify(sums));
    if (count >= 10_000) for (const [name, sum] of Object.entries(sums)) assert.ok(sum > 0, `no ${name}`);
  });
});
