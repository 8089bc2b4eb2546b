// Parses the Prometheus text format strictly. Anything that could break a scraper fails the test.
import assert from 'node:assert/strict';

export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface ExposedFamily {
  readonly name: string;
  readonly type: string;
  readonly help: string;
  readonly samples: readonly Sample[];
}

const sampleLine = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/;
const labelPair = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\"n])*)"(,|$)/y;
const suffixes: Readonly<Record<string, readonly string[]>> = {
  counter: [''],
  gauge: [''],
  histogram: ['_bucket', '_sum', '_count'],
};

/**
 * Parses metrics.
 * @throws AssertionError if the text is not valid in format 0.0.4 or breaks its conventions
 */
export function parseExposition(text: string): ReadonlyMap<string, ExposedFamily> {
  const families = new Map<string, ExposedFamily & { samples: Sample[] }>();
  const series = new Set<string>();
  let current: (ExposedFamily & { samples: Sample[] }) | undefined;
  let help: readonly [name: string, text: string] | undefined;
  assert.ok(text.endsWith('\n'), 'the last line does not end with a newline');
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const [, keyword, name = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line) ?? [];
    if (keyword === 'HELP') {
      help = [name, rest];
    } else if (keyword === 'TYPE') {
      assert.equal(help?.[0], name, `${line}: no HELP line directly before it`);
      assert.ok(!families.has(name), `${name} is described twice`);
      assert.ok(Object.hasOwn(suffixes, rest), line);
      current = { name, type: rest, help: help?.[1] ?? '', samples: [] };
      families.set(name, current);
    } else {
      const sample = readSample(line);
      assert.ok(current !== undefined, `${line}: no TYPE before it`);
      const { name: family, type } = current;
      const allowed = (suffixes[type] ?? []).map((suffix) => family + suffix);
      assert.ok(allowed.includes(sample.name), `${line}: does not belong to ${family}`);
      const key = line.slice(0, line.lastIndexOf(' '));
      assert.ok(!series.has(key), `${key} occurs twice`);
      series.add(key);
      current.samples.push(sample);
    }
  }
  for (const family of families.values()) requireSound(family);
  return families;
}

function readSample(line: string): Sample {
  const [, name = '', inside = '', number = ''] = sampleLine.exec(line) ?? [];
  assert.ok(name !== '', `not a sample: ${line}`);
  const labels: Record<string, string> = {};
  for (let at = 0; at < inside.length; at = labelPair.lastIndex) {
    labelPair.lastIndex = at;
    const [, label = '', value = ''] = labelPair.exec(inside) ?? [];
    assert.ok(label !== '' && !Object.hasOwn(labels, label), `bad labels: ${line}`);
    labels[label] = value;
  }
  const value = number === '+Inf' ? Number.POSITIVE_INFINITY : Number(number);
  assert.ok(!Number.isNaN(value), `not a number: ${line}`);
  return { name, labels, value };
}

function requireSound({ name, type, samples }: ExposedFamily): void {
  assert.equal(type === 'counter', name.endsWith('_total'), `${name} is a ${type}`);
  if (type === 'counter') for (const { value } of samples) assert.ok(value >= 0, `${name} is negative`);
  if (type !== 'histogram') return;
  const groups = Map.groupBy(samples, ({ labels: { le: _, ...labels } }) => JSON.stringify(labels));
  for (const group of groups.values()) {
    const buckets = group.filter((sample) => sample.name.endsWith('_bucket'));
    const ends = buckets.map(({ labels }) => (labels['le'] === '+Inf' ? Infinity : Number(labels['le'])));
    assert.deepEqual(
      ends,
      ends.toSorted((one, other) => one - other),
      `${name}: buckets are not in order`,
    );
    assert.equal(ends.at(-1), Infinity, `${name} has no +Inf bucket`);
    const values = buckets.map(({ value }) => value);
    assert.deepEqual(
      values,
      values.toSorted((one, other) => one - other),
      `${name}: not cumulative`,
    );
    const count = group.find((sample) => sample.name.endsWith('_count'))?.value;
    assert.equal(count, values.at(-1), `${name}: count differs from the last bucket`);
    assert.ok(group.some((sample) => sample.name.endsWith('_sum')));
  }
}

/** Returns a series' value, or 0 if the series is missing. */
export function seriesValue(
  families: ReadonlyMap<string, ExposedFamily>,
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number {
  const family = families.get(name) ?? families.get(name.replace(/_(?:bucket|sum|count)$/, ''));
  assert.ok(family !== undefined, `there is no metric ${name}`);
  const wanted = Object.entries(labels);
  const found = family.samples.filter(
    (sample) =>
      sample.name === name &&
      Object.keys(sample.labels).length === wanted.length &&
      wanted.every(([label, value]) => sample.labels[label] === value),
  );
  return found[0]?.value ?? 0;
}
