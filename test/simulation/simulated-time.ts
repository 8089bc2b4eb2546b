import type { Timers } from '../../src/runtime/timers.ts';
import type { Random } from '../support/random/random.ts';

/** A scheduled task with its earliest and latest time. */
export interface Task {
  readonly owner: object;
  readonly name: string;
  readonly due: number;
  readonly deadline: number;
  readonly run: () => unknown;
}

/** Simulated time, controlled by a seed. A due task may run late, but not later than its lateness allows. */
export interface SimulatedTime {
  /** Returns the milliseconds since the start of the simulation, which timers use. */
  now(): number;
  /** Advances the time, but not past any task's deadline. */
  advance(ms: number): void;
  /**
   * Schedules a task.
   * @param lateness how late the task may run, in ms
   */
  after(owner: object, name: string, ms: number, lateness: number, run: () => unknown): Task;
  /** Returns the next task: one that has reached its deadline, or else, if `choose` is given, a random due task. */
  take(choose: Random | undefined): Task | undefined;
  /**
   * Advances the time to the next task, even if it is not due yet, and returns it. Use only when nothing else happens.
   */
  takeNext(): Task | undefined;
  /** Drops a dead process's tasks. */
  drop(owner: object): void;
  timersOf(owner: object): Timers;
}

/** Maximum delay of a timer or event loop tick, in ms. */
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
