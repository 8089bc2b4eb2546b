import { AggregatorRegistry, collectDefaultMetrics, Registry } from 'prom-client';
import type { Histogram } from '../../runtime/histogram.ts';
import { families } from './families.ts';
import type { Family, Row } from './family.ts';
import type { MetricsSnapshot } from './figures.ts';

/**
 * One metric at one moment, in the form that prom-client's registries read and add up: plain data, which can travel
 * between processes.
 */
export interface Metric {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  /** How the values of several processes become one. */
  readonly aggregator: 'sum' | 'min' | 'max';
  readonly values: readonly Sample[];
}

export type Metrics = readonly Metric[];

interface Sample {
  /** The name of the sample, where it is not the metric's own. */
  readonly metricName?: string;
  readonly labels: Labels;
  readonly value: number;
}

type Labels = Readonly<Record<string, string>>;

export const contentType = Registry.PROMETHEUS_CONTENT_TYPE;

/** The metrics of one or more processes, in the Prometheus text format. */
export function textOf(ofProcesses: readonly Metrics[]): Promise<string> {
  return AggregatorRegistry.aggregate([...ofProcesses]).metrics();
}

/** Merges the metrics of several processes into those of one. */
export function sumOf(ofProcesses: readonly Metrics[]): Metrics {
  return AggregatorRegistry.aggregate([...ofProcesses]).getMetricsAsArray() as unknown as Metrics;
}

/** Linkfold's own metrics. Each part counts by itself, and is read at a scrape. */
export function metricsOf(figures: MetricsSnapshot): Metrics {
  return families.map((family) => shown(family, samplesOf(family, figures)));
}

/** One of Linkfold's own metrics, without labels, of a process that does not have all figures. */
export function metricOf(name: string, value: number): Metric {
  const family = families.find((one) => one.name === name);
  if (family === undefined) throw new Error(`There is no metric ${name}.`);
  return shown(family, [{ labels: {}, value }]);
}

/**
 * Metrics that are left out: those that walk through every open handle at each scrape, which is slow with ten thousand
 * connections; a dozen heap spaces, which no dashboard uses; event loop figures that are NaN when nothing was measured.
 */
const leftOut: readonly RegExp[] = [
  /^nodejs_active_(handles|requests|resources)/,
  /^nodejs_heap_space_/,
  /^nodejs_eventloop_lag_/,
];

/** Sampling interval of the event loop metric that is left out, ms: long, so that it costs little. */
const hardlyEverMs = 60_000;

/**
 * Starts to watch this process.
 * @param labels that tell it from others on its port
 * @returns a function that reads the usual metrics of a process and of Node, under their usual names
 */
export function watchProcess(labels: Labels): () => Promise<Metrics> {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: hardlyEverMs });
  for (const { name } of registry.getMetricsAsArray()) {
    if (leftOut.some((pattern) => pattern.test(name))) registry.removeSingleMetric(name);
  }
  const labelled = (sample: Sample): Sample => ({ ...sample, labels: { ...labels, ...sample.labels } });
  return async () => {
    const metrics = (await registry.getMetricsAsJSON()) as unknown as Metrics;
    // The labels keep processes apart, so each sum has one value.
    return metrics.map((metric) => ({ ...metric, aggregator: 'sum', values: metric.values.map(labelled) }));
  };
}

function shown(family: Family, values: readonly Sample[]): Metric {
  const { name, help, type } = family;
  return { name, help, type, aggregator: (family.type === 'gauge' && family.across) || 'sum', values };
}

function samplesOf(family: Family, figures: MetricsSnapshot): readonly Sample[] {
  if (family.type !== 'histogram') return family.rows(figures);
  // Of a hundred endpoints few are in use: a histogram without observations would be most of a scrape.
  return family
    .rows(figures)
    .flatMap((row) => (row.value.counts.some(Boolean) ? samplesOfHistogram(family.name, row) : []));
}

/** Buckets are cumulative, as the format wants them. */
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
