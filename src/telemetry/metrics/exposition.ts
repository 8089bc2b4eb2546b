import {
  collectDefaultMetrics,
  type Metric,
  type MetricObjectWithValues,
  type MetricValue,
  Registry,
} from 'prom-client';
import { families, type Row } from './families.ts';
import type { Ranges, Reading } from './reading.ts';

export interface Exposition {
  readonly contentType: string;
  /** Everything as of now, in the Prometheus text format. @throws what reading the figures throws */
  text(): Promise<string>;
}

/**
 * Left out: what walks through every open handle at each scrape, which is felt with ten thousand connections; a dozen
 * heap spaces, which no dashboard uses; and event loop figures that are not a number when nothing was measured.
 */
const leftOut: readonly RegExp[] = [
  /^nodejs_active_(handles|requests|resources)/,
  /^nodejs_heap_space_/,
  /^nodejs_eventloop_lag_/,
];

/** So that what is left out hardly costs anything. */
const hardlyEverMs = 60_000;

/** The usual metrics of a process and of Node, under their usual names. */
export type ProcessReading = readonly MetricObjectWithValues<MetricValue<string>>[];

/** Starts to watch this process. @returns a function that reads the usual metrics of it */
export function watchProcess(): () => Promise<ProcessReading> {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: hardlyEverMs });
  for (const { name } of registry.getMetricsAsArray()) {
    if (leftOut.some((pattern) => pattern.test(name))) registry.removeSingleMetric(name);
  }
  return () => registry.getMetricsAsJSON();
}

/** What is shown at one moment: our own metrics, and those of each process. */
export interface Shown {
  readonly reading: Reading;
  /** With the labels that tell them from one another. */
  readonly processes: readonly { readonly labels: Labels; readonly metrics: ProcessReading }[];
}

/**
 * What Prometheus is shown. Nothing is counted here: the parts count by themselves, in plain numbers, and are read when
 * somebody asks.
 */
export function createExposition(read: () => Promise<Shown>): Exposition {
  return {
    contentType: Registry.PROMETHEUS_CONTENT_TYPE,
    async text() {
      const { reading, processes } = await read();
      const registry = new Registry();
      // A registry asks of a metric nothing but its name and this; prom-client's own classes would count once more.
      const show = (metric: { readonly name: string }): void =>
        registry.registerMetric({ name: metric.name, get: async () => metric } as unknown as Metric);
      for (const { name, help, type } of families) {
        show({
          name,
          ...{ help, type, values: (reading[name] ?? []).flatMap((row) => samplesOf(name, row)) },
        });
      }
      for (const { name, help, type } of processes[0]?.metrics ?? []) {
        const values = processes.flatMap(({ labels, metrics }) => {
          const own = metrics.find((metric) => metric.name === name)?.values ?? [];
          return own.map((sample) => ({ ...sample, labels: { ...labels, ...sample.labels } }));
        });
        show({ name, ...{ help, type, values } });
      }
      return registry.metrics();
    },
  };
}

type Labels = Readonly<Record<string, string>>;

interface Sample {
  /** Where it is not the metric's own. */
  readonly metricName?: string;
  readonly labels: Labels;
  readonly value: number;
}

/** Buckets are cumulative, as the format wants them. */
function samplesOf(name: string, { labels, value }: Row<number | Ranges>): readonly Sample[] {
  if (typeof value === 'number') return [{ labels, value }];
  let count = 0;
  const buckets = value.counts.map((inRange, at) => {
    count += inRange;
    const bound = value.bounds[at];
    const le = bound === undefined ? '+Inf' : String(bound);
    return { metricName: `${name}_bucket`, labels: { ...labels, le }, value: count };
  });
  return [
    ...buckets,
    { metricName: `${name}_sum`, labels, value: value.sum },
    { metricName: `${name}_count`, labels, value: count },
  ];
}
