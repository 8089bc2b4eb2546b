import { AggregatorRegistry, collectDefaultMetrics, Registry } from 'prom-client';
import type { Histogram } from '../../runtime/histogram.ts';
import { families } from './families.ts';
import type { Family, Row } from './family.ts';
import type { MetricsSnapshot } from './snapshot.ts';

/**
 * Snapshot of a metric, in the format that prom-client's registries use. It is plain data, so it can be sent between
 * processes.
 */
export interface Metric {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  /** How the values from several processes are combined. */
  readonly aggregator: 'sum' | 'min' | 'max';
  readonly values: readonly Sample[];
}

export type Metrics = readonly Metric[];

interface Sample {
  /** Name of the sample, if it differs from the metric's name. */
  readonly metricName?: string;
  readonly labels: Labels;
  readonly value: number;
}

type Labels = Readonly<Record<string, string>>;

export const contentType = Registry.PROMETHEUS_CONTENT_TYPE;

/** Formats the metrics of one or more processes in the Prometheus text format. */
export function textOf(ofProcesses: readonly Metrics[]): Promise<string> {
  return AggregatorRegistry.aggregate([...ofProcesses]).metrics();
}

/** Aggregates the metrics of several processes. */
export function sumOf(ofProcesses: readonly Metrics[]): Metrics {
  return AggregatorRegistry.aggregate([...ofProcesses]).getMetricsAsArray() as unknown as Metrics;
}

/** Returns Linkfold's own metrics. Each component maintains its own counts, which are read for each scrape. */
export function metricsOf(snapshot: MetricsSnapshot): Metrics {
  return families.map((family) => shown(family, samplesOf(family, snapshot)));
}

/** Returns one of Linkfold's metrics without labels, for a process that has only some of the counts. */
export function metricOf(name: string, value: number): Metric {
  const family = families.find((one) => one.name === name);
  if (family === undefined) throw new Error(`Unknown metric ${name}.`);
  return shown(family, [{ labels: {}, value }]);
}

/**
 * Standard metrics that are omitted: lists of open handles, which are slow with ten thousand connections; a dozen heap
 * spaces, which no dashboard uses; and event loop values, which are NaN if nothing was measured.
 */
const omitted: readonly RegExp[] = [
  /^nodejs_active_(handles|requests|resources)/,
  /^nodejs_heap_space_/,
  /^nodejs_eventloop_lag_/,
];

/** Sampling interval in ms for the omitted event loop metric. It is long, so that sampling costs little. */
const maxSamplingMs = 60_000;

/**
 * Starts collecting the standard metrics for this process and for Node, under their usual names.
 * @param labels labels that distinguish this process from others on the same port
 * @returns a function that reads the metrics
 */
export function watchProcess(labels: Labels): () => Promise<Metrics> {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: maxSamplingMs });
  for (const { name } of registry.getMetricsAsArray()) {
    if (omitted.some((pattern) => pattern.test(name))) registry.removeSingleMetric(name);
  }
  const labelled = (sample: Sample): Sample => ({ ...sample, labels: { ...labels, ...sample.labels } });
  return async () => {
    const metrics = (await registry.getMetricsAsJSON()) as unknown as Metrics;
    // `sum` is correct for every metric: labels distinguish the processes, so each sum has only one addend.
    return metrics.map((metric) => ({ ...metric, aggregator: 'sum', values: metric.values.map(labelled) }));
  };
}

function shown(family: Family, values: readonly Sample[]): Metric {
  const { name, help, type } = family;
  return { name, help, type, aggregator: (family.type === 'gauge' && family.across) || 'sum', values };
}

function samplesOf(family: Family, snapshot: MetricsSnapshot): readonly Sample[] {
  if (family.type !== 'histogram') return family.rows(snapshot);
  // Histograms without observations are omitted. They would make up most of a scrape, because few of the hundred
  // endpoints are in use.
  return family
    .rows(snapshot)
    .flatMap((row) => (row.value.counts.some(Boolean) ? samplesOfHistogram(family.name, row) : []));
}

/** Returns cumulative buckets, as the Prometheus format requires. */
function samplesOfHistogram(name: string, { labels, value }: Row<Histogram>): readonly Sample[] {
  let count = 0;
  const buckets = [...value.counts].map((inRange, at) => {
    count += inRange;
    const bound = value.bounds[at];
    const le = bound === undefined ? '+Inf' : String(bound);
    return { metricName: `${name}_bucket`, labels: { ...labels, le }, value: count };
  });
  return [
    ...buckets,
    { metricName: `${name}_sum`, labels, value: value.sum() },
    { metricName: `${name}_count`, labels, value: count },
  ];
}
