import { readFileSync } from 'node:fs';
import { quantile } from './figures.ts';
import { ranMsOf } from './process.ts';

/** Returns the time of a clock shared by all processes of the machine, ms. */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

/** Time span between two values of {@link monotonicMs}. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Request time and duration, ms. */
export interface Sample {
  readonly at: number;
  readonly ms: number;
}

/** Reads the samples of a steady load. */
export function samplesIn(path: string): readonly Sample[] {
  const bytes = readFileSync(path);
  const pairs = new Float64Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
  return Array.from({ length: pairs.length / 2 }, (_, index) => ({
    at: pairs[2 * index] ?? 0,
    ms: pairs[2 * index + 1] ?? 0,
  }));
}

function overlaps({ at, ms }: Sample, { from, to }: Span): boolean {
  return at < to && at + ms > from;
}

/** Returns the samples requested within a span. */
export function within(samples: readonly Sample[], { from, to }: Span): readonly Sample[] {
  return samples.filter(({ at }) => at >= from && at < to);
}

/** Splits samples into those in flight during any of the spans, sorted by time, and the others. */
export function partedBy(
  samples: readonly Sample[],
  spans: readonly Span[],
): { readonly during: readonly Sample[]; readonly besides: readonly Sample[] } {
  const { during = [], besides = [] } = Object.groupBy(samples, (sample) =>
    spans.some((span) => overlaps(sample, span)) ? 'during' : 'besides',
  );
  return { during, besides };
}

export function p99Of(samples: readonly Sample[]): number {
  return quantile(
    samples.map(({ ms }) => ms),
    0.99,
  );
}

const checkEveryMs = 1;
const idleGapMs = 3;
const worthMs = 0.05;

/** Watches when a thread runs. @returns a function that stops watching and returns the spans, ignoring short pauses */
export function watchThread(pid: number, thread: number): () => readonly Span[] {
  const spans: { from: number; to: number }[] = [];
  let looked = monotonicMs();
  let ran = ranMsOf(pid, thread);
  const timer = setInterval(() => {
    const now = monotonicMs();
    const ranNow = ranMsOf(pid, thread);
    const last = spans.at(-1);
    if (ranNow - ran > worthMs) {
      if (last !== undefined && looked - last.to < idleGapMs) last.to = now;
      else spans.push({ from: looked, to: now });
    }
    looked = now;
    ran = ranNow;
  }, checkEveryMs);
  return () => {
    clearInterval(timer);
    return spans;
  };
}
