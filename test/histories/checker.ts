// Linearizability checker: Wing & Gong's search with Lowe's cache of visited configurations, as in porcupine.

/** A request and its response. Times are milliseconds from one monotonic clock. */
export interface Operation<In, Out> {
  /** Operations on different keys do not affect each other, so each key is checked separately. */
  readonly key: string;
  readonly input: In;
  /** Undefined if no response arrived. The operation may have taken effect at any time after its start, or never. */
  readonly output: Out | undefined;
  readonly start: number;
  /** Ignored if `output` is undefined, because the operation may take effect at any later time. */
  readonly end: number;
}

export interface Model<State, In, Out> {
  readonly initial: State;
  /**
   * Returns the state after an operation, or undefined if the operation cannot have this output in this state. If
   * `output` is undefined, returns the state that the operation would produce if it took effect.
   */
  step(state: State, input: In, output: Out | undefined): State | undefined;
  /**
   * Returns true if an operation that leaves one state unchanged would also leave every later state unchanged, as reads
   * and rejected operations do.
   */
  isPassive?(input: In, output: Out): boolean;
}

/** The start or end of an operation, as an entry of a doubly linked list that is sorted by time. */
interface Entry {
  readonly id: number;
  /** The end of the same operation. Undefined if this entry is an end. */
  readonly match: Entry | undefined;
  before: Entry | undefined;
  after: Entry | undefined;
}

type Verdict = 'linearizable' | 'not linearizable' | 'undecided';

function split<In, Out>(history: readonly Operation<In, Out>[]): Map<string, Operation<In, Out>[]> {
  return Map.groupBy(history, ({ key }) => key);
}

/** Returns the head of the list of starts and ends. The head itself is not an event. */
function entriesOf(operations: readonly Operation<unknown, unknown>[]): Entry {
  const events: { at: number; isStart: boolean; entry: Entry }[] = [];
  operations.forEach(({ start, end, output }, id) => {
    const last: Entry = { id, match: undefined, before: undefined, after: undefined };
    const first: Entry = { id, match: last, before: undefined, after: undefined };
    events.push({ at: start, isStart: true, entry: first });
    events.push({ at: output === undefined ? Number.POSITIVE_INFINITY : end, isStart: false, entry: last });
  });
  // At the same time, starts come before ends, so that the operations overlap.
  events.sort((a, b) => (a.at === b.at ? Number(b.isStart) - Number(a.isStart) : a.at < b.at ? -1 : 1));
  const head: Entry = { id: -1, match: undefined, before: undefined, after: undefined };
  let previous = head;
  for (const { entry } of events) {
    entry.before = previous;
    previous.after = entry;
    previous = entry;
  }
  return head;
}

function unlink(entry: Entry): void {
  if (entry.before) entry.before.after = entry.after;
  if (entry.after) entry.after.before = entry.before;
}

function relink(entry: Entry): void {
  if (entry.before) entry.before.after = entry;
  if (entry.after) entry.after.before = entry;
}

/** Checks the operations on one key. */
function checkKey<State, In, Out>(
  model: Model<State, In, Out>,
  operations: readonly Operation<In, Out>[],
  maxSteps: number,
): Verdict {
  const head = entriesOf(operations);
  let known = operations.filter(({ output }) => output !== undefined).length;
  const done = new Uint32Array(Math.ceil(operations.length / 32));
  const flip = (id: number): void => {
    done[id >> 5] = (done[id >> 5] ?? 0) ^ (1 << (id & 31));
  };
  const visited = new Set<string>();
  const taken: { entry: Entry; state: State; isPassive: boolean | undefined }[] = [];
  let state = model.initial;
  let entry = head.after;
  // Operations without an output are tried last. They are needed only if no other operation fits.
  let triesLost = false;
  for (let steps = 0; known > 0; steps += 1) {
    if (steps > maxSteps) return 'undecided';
    if (entry?.match !== undefined) {
      const { input, output } = operations[entry.id] as Operation<In, Out>;
      const next = triesLost === (output === undefined) ? model.step(state, input, output) : undefined;
      if (next === undefined || (triesLost && next === state)) {
        entry = entry.after;
        continue;
      }
      flip(entry.id);
      const configuration = `${done.join()} ${JSON.stringify(next)}`;
      if (!visited.has(configuration)) {
        visited.add(configuration);
        const isPassive = next === state && output !== undefined && model.isPassive?.(input, output);
        taken.push({ entry, state, isPassive });
        state = next;
        unlink(entry);
        unlink(entry.match);
        if (output !== undefined) known -= 1;
        entry = head.after;
        triesLost = false;
      } else {
        flip(entry.id);
        entry = entry.after;
      }
      continue;
    }
    if (!triesLost) {
      triesLost = true;
      entry = head.after;
      continue;
    }
    // The end of an operation was reached, but the operation fits nowhere, so the search undoes its last choice.
    const last = taken.pop();
    if (last?.entry.match === undefined) return 'not linearizable';
    relink(last.entry.match);
    relink(last.entry);
    flip(last.entry.id);
    state = last.state;
    if (operations[last.entry.id]?.output !== undefined) known += 1;
    // A passive operation that fits at this position can stay here, so no other position needs to be tried.
    entry = last.isPassive ? undefined : last.entry.after;
    triesLost = last.isPassive || operations[last.entry.id]?.output === undefined;
  }
  return 'linearizable';
}

export interface Report {
  readonly verdict: Verdict;
  /**
   * The first key that is not linearizable, or else the last undecided one, with its operations in order of start time.
   */
  readonly key?: string;
  readonly operations?: readonly Operation<unknown, unknown>[];
}

/**
 * Checks a history against a model.
 * @param maxSteps maximum number of steps per key. Above it, the verdict is `undecided`, because the search takes
 * exponential time.
 */
export function check<State, In, Out>(
  model: Model<State, In, Out>,
  history: readonly Operation<In, Out>[],
  maxSteps = 2_000_000,
): Report {
  let report: Report = { verdict: 'linearizable' };
  for (const [key, operations] of split(history)) {
    const verdict = checkKey(model, operations, maxSteps);
    if (verdict === 'linearizable') continue;
    report = { verdict, key, operations: operations.toSorted((a, b) => a.start - b.start) };
    if (verdict === 'not linearizable') break;
  }
  return report;
}
