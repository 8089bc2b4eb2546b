import { overloaded } from '../failures.ts';
import { mayTakeSlot } from '../fair-share.ts';

/** The requester of a job, for example an IP address (the member) that visits a link (the group). */
export interface Requester {
  readonly group: string | number;
  /** Undefined for a requester that is exempt from the per-member limit. */
  readonly member: string | undefined;
}

interface Job extends Requester {
  /** Jobs run in ascending order of `turn`. */
  readonly turn: number;
  readonly run: () => Promise<void>;
}

/** Maximum number of queued or running jobs in total. `maxOfGroup` is the maximum per group. */
const maxJobs = 128;
const maxOfGroup = 32;

/**
 * Creates a queue that runs one job at a time. The more jobs a group or member has queued, the later its next job runs
 * and the sooner it is rejected.
 */
export function createFairQueue() {
  const jobs = new Set<Job>();
  let lastTurn = 0;
  let isRunning = false;

  const runAll = async (): Promise<void> => {
    if (isRunning) return;
    isRunning = true;
    while (jobs.size > 0) {
      const job = jobs.values().reduce((first, other) => (other.turn < first.turn ? other : first));
      lastTurn = job.turn;
      await job.run();
    }
    isRunning = false;
  };

  /** @throws Failure OVERLOADED when the queue is full */
  return <T>(requester: Requester, work: () => Promise<T>): Promise<T> => {
    const { group, member } = requester;
    const ofGroup = [...jobs].filter((job) => job.group === group).length;
    const ofMember = member === undefined ? 0 : [...jobs].filter((job) => job.member === member).length;
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    if (mayTakeSlot(ofGroup, maxJobs - jobs.size) && mayTakeSlot(ofMember, maxOfGroup - ofGroup)) {
      const turn = lastTurn + ofGroup + ofMember;
      const run = () =>
        work()
          .finally(() => jobs.delete(job))
          .then(resolve, reject);
      const job: Job = { ...requester, turn, run };
      jobs.add(job);
      void runAll();
    } else {
      reject(overloaded('Too many password checks are in progress.', 2));
    }
    return promise;
  };
}
