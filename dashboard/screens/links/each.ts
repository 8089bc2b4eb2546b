import { explain } from '../../components/states.tsx';
import { tell } from '../../data/undo.ts';
import { t } from '../../texts/texts.ts';

const atOnce = 4;

/** Does something for each id, a few at a time, and tells how many failed. @returns the ids for which it was done */
export async function eachOf(
  ids: readonly string[],
  change: (id: string) => Promise<unknown>,
): Promise<string[]> {
  const left = [...ids];
  const done = new Set<string>();
  let failure: unknown;
  const work = async () => {
    for (let id = left.shift(); id !== undefined; id = left.shift()) {
      try {
        await change(id);
        done.add(id);
      } catch (error) {
        failure = error;
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  const failed = ids.length - done.size;
  if (failed > 0) tell(`${t.bulk.failed(failed)}. ${explain(failure)}`, { isError: true });
  return ids.filter((id) => done.has(id));
}
