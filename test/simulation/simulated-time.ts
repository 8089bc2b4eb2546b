import type { Timers } from '../../src/runtime/timers.ts';
import type { Random } from '../support/random/random.ts';

/** Something that will happen: when it may at the earliest, and when it must have happened. */
export interface Task {
  readonly owner: object;
  readonly name: string;
  readonly due: number;
  readonly deadline: number;
  readonly run: () => unknown;
}

/** Time as a seed decides it. What is due waits for its turn, but never longer than its lateness allows. */
export interface SimulatedTime {
  /** Milliseconds since the world began: what timers run by. */
  now(): number;
  /** Moves on, but not past a deadline. */
  advance(ms: number): void;
  /** @param lateness how many ms after its time it may still wait for its turn */
  after(owner: object, name: string, ms: number, lateness: number, run: () => unknown): Task;
  /** What happens next: what cannot wait any longer; else, when asked to choose, something that is due. */
  take(choose: Random | undefined): Task | undefined;
  /** What comes next, be it later: moves on to it. For when nothing else happens. */
  takeNext(): Task | undefined;
  /** A process that is gone waits for nothing. */
  drop(owner: object): void;
  timersOf(owner: object): Timers;
}

/** How long a timer or a tick of an event loop may be kept waiting, in ms. */
const timerLateness = 4;

export function createTime(): SimulatedTime {
  let now = 0;
  let tasks: Task[] = [];

  const remove = (task: Task | undefined): Task | undefined => {
    if (task !== undefined) tasks.splice(tasks.indexOf(task), 1);
    return task;
  };
  const soonest = (key: 'due' | 'deadline'): Task | undefined => {
    let first: Task | undefined;
    for (const task of tasks) if (first === undefined || task[key] < first[key]) first = task;
    return first;
  };
  const after: SimulatedTime['after'] = (owner, name, ms, lateness, run) => {
    const task = { owner, name, due: now + ms, deadline: now + ms + lateness, run };
    tasks.push(task);
    return task;
  };

  return {
    now: () => now,
    advance(ms) {
      now = Math.max(now, Math.min(now + ms, soonest('deadline')?.deadline ?? Number.POSITIVE_INFINITY));
    },
    after,
    take(choose) {
      const late = soonest('deadline');
      if (late !== undefined && late.deadline <= now) return remove(late);
      const due = choose === undefined ? [] : tasks.filter((task) => task.due <= now);
      return due.length === 0 ? undefined : remove(choose?.pick(due));
    },
    takeNext() {
      const next = remove(soonest('due'));
      if (next !== undefined) now = Math.max(now, next.due);
      return next;
    },
    drop(owner) {
      tasks = tasks.filter((task) => task.owner !== owner);
    },
    timersOf(owner) {
      const start = (name: string, ms: number, run: () => unknown) => {
        const task = after(owner, name, ms, timerLateness, run);
        return Object.assign(task, { unref: () => task });
      };
      return {
        setTimeout: (run: () => unknown, ms: number) => start('timer', ms, run),
        setImmediate: (run: () => unknown) => start('turn', 0, run),
        clearTimeout: (task: Task | undefined) => {
          if (task !== undefined && tasks.includes(task)) remove(task);
        },
      } as unknown as Timers;
    },
  };
}
