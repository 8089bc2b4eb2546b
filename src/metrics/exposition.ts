import { collectDefaultMetrics, type Metric, Registry } from 'prom-client';
import type { Histogram } from '../domain/histogram.ts';
import { type Family, families, type Row } from './families.ts';
import type { Figures } from './figures.ts';

export interface Exposition {
  readonly contentType: string;
  /** Everything as of now, in the Prometheus text format. @throws what reading the figures throws */
  text(): Promise<string>;
}

/**
 * Left out: what walks through every open handle at each scrape, which is felt with ten thousand connections; a dozen
 * heap spaces that nobody looks at; and event loop figures that are not a number when nothing was measured.
 */
const leftOut: readonly RegExp[] = [
  /^nodejs_active_(handles|requests|resources)/,
  /^nodejs_heap_space_/,
  /^nodejs_eventloop_lag_/,
];

/** So that what is left out hardly costs anything. */
const hardlyEverMs = 60_000;

/**
 * What Prometheus is shown: {@link families}, and the usual metrics of a process and of Node under their usual names.
 * Nothing is counted here: the parts count by themselves, in plain numbers, and are read when somebody asks.
 */
export const createExposition = (read: () => Promise<Figures>): Exposition => {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: hardlyEverMs });
  for (const { name } of registry.getMetricsAsArray()) {
    if (leftOut.some((pattern) => pattern.test(name))) registry.removeSingleMetric(name);
  }
  let figures: Promise<Figures> | undefined;
  for (const family of families) {
    const get = async () => ({
      name: family.name,
      help: family.help,
      type: family.type,
      values: valuesOf(family, await (figures ?? read())),
    });
    // A registry asks of a metric nothing but its name and this; prom-client's own classes would count once more.
    registry.registerMetric({ name: family.name, get } as unknown as Metric);
  }
  return {
    contentType: registry.contentType,
    text() {
      figures = read();
      return registry.metrics();
    },
  };
};

interface Sample {
  /** Where it is not the metric's own. */
  readonly metricName?: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const valuesOf = (family: Family, figures: Figures): readonly Sample[] =>
  family.type === 'histogram'
    ? family.rows(figures).flatMap((row) => bucketsOf(family.name, row))
    : family.rows(figures).map(({ labels, value }) => ({ labels, value }));

/** Buckets are cumulative, as the format wants them. */
const bucketsOf = (name: string, { labels, value }: Row<Histogram>): readonly Sample[] => {
  const { bounds, counts } = value;
  let count = 0;
  const buckets = [...counts].map((inRange, at) => {
    count += inRange;
    const le = bounds[at] === undefined ? '+Inf' : String(bounds[at]);
    return { metricName: `${name}_bucket`, labels: { ...labels, le }, value: count };
  });
  return [
    ...buckets,
    { metricName: `${name}_sum`, labels, value: value.sum() },
    { metricName: `${name}_count`, labels, value: count },
  ];
};
