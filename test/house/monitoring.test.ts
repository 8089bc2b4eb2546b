import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { parse } from 'yaml';
import { type ExposedFamily, parseExposition } from '../support/http/exposition.ts';
import { call, type Server, startServer } from '../support/server/server.ts';
import { words } from '../support/words.ts';

// Checks that the dashboard and alert rules use only metrics, labels and values that a server exposes.

const root = join(import.meta.dirname, '..', '..');
function read(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly runbook: string };
}
interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[];
}
interface Dashboard {
  readonly panels: readonly Panel[];
  readonly templating: { readonly list: readonly { readonly name: string; readonly query: unknown }[] };
}

const alerts = parse(read('docs/alerts.yaml')) as { groups: { name: string; rules: Rule[] }[] };
const rules = alerts.groups.flatMap((group) => group.rules);
const dashboard = JSON.parse(read('docs/grafana-dashboard.json')) as Dashboard;
const queries = dashboard.panels.flatMap(({ title, targets = [] }) =>
  targets.map(({ expr, legendFormat }) => ({ title, expr, legendFormat })),
);

/** Labels that Prometheus adds to each target. */
const targetLabels: readonly string[] = ['job', 'instance'];
const operators: ReadonlySet<string> = new Set(
  words('sum min max rate increase histogram_quantile time by on and unless up'),
);

let families: ReadonlyMap<string, ExposedFamily>;
let server: Server;
before(async () => {
  const token = crypto.randomUUID();
  server = await startServer({ METRICS_TOKEN: token });
  // A per-endpoint histogram appears only after its first observation, so the test sends a request.
  const { key } = await server.newKey();
  await call(server, 'GET', '/api/v1/me', { key });
  const scrape = () => call(server, 'GET', '/metrics', { headers: { authorization: `Bearer ${token}` } });
  // Node creates the labels for each kind of garbage collection only when that kind first occurs, so scrape until one
  // has occurred.
  for (let tries = 0; tries < 200; tries += 1) {
    families = parseExposition((await scrape()).text);
    if (families.get('nodejs_gc_duration_seconds')?.samples.length !== 0) break;
  }
});
after(() => server.stop());

function familyOf(name: string): ExposedFamily | undefined {
  const family = families.get(name);
  if (family !== undefined) return family.type === 'histogram' ? undefined : family;
  const histogram = families.get(name.replace(/_(?:bucket|sum|count)$/, ''));
  return histogram?.type === 'histogram' ? histogram : undefined;
}

/** Returns the metrics, labels and values in an expression that the server does not expose. */
function problemsIn(expr: string): string[] {
  const problems: string[] = [];
  const selector = /([a-zA-Z_:][\w:]*)\{([^}]*)\}/g;
  for (const [, metric = '', matchers = ''] of expr.matchAll(selector)) {
    const samples = familyOf(metric)?.samples ?? [];
    for (const [whole, label = '', operator = '', value = ''] of matchers.matchAll(
      /(\w+)(=~|!~|!=|=)"([^"]*)"/g,
    )) {
      if (targetLabels.includes(label)) continue;
      const values = samples.map(({ labels }) => labels[label]);
      const named = operator.endsWith('~') ? value.split('|') : [value];
      for (const one of named) if (!values.includes(one)) problems.push(`${metric}{${whole}}`);
    }
  }
  const bare = expr.replace(/\{[^}]*\}/g, '').replace(/\[[^\]]*\]/g, '');
  const labels = new Set(targetLabels);
  for (const name of bare.match(/[a-zA-Z_:][\w:]*/g) ?? []) {
    const family = familyOf(name);
    // A histogram without observations has no samples, so its `le` label must be added.
    if (family?.type === 'histogram') labels.add('le');
    for (const sample of family?.samples ?? [])
      for (const label of Object.keys(sample.labels)) labels.add(label);
  }
  const grouped = /\b(?:by|on) \(([^)]*)\)/g;
  for (const [, list = ''] of bare.matchAll(grouped)) {
    for (const label of list.split(/, ?/)) if (!labels.has(label)) problems.push(`by ${label}`);
  }
  for (const name of bare.replace(grouped, '').match(/[a-zA-Z_:][\w:]*/g) ?? []) {
    if (!operators.has(name) && familyOf(name) === undefined) problems.push(name);
  }
  let depth = 0;
  for (const character of expr) {
    depth += { '(': 1, ')': -1 }[character] ?? 0;
    if (depth < 0) break;
  }
  if (depth !== 0) problems.push('parentheses');
  for (const [, metric = ''] of expr.matchAll(/(?:rate|increase)\((\w+)/g)) {
    const family = familyOf(metric);
    if (family?.type === 'gauge') problems.push(`the rate of the gauge ${metric}`);
  }
  return problems;
}

describe('docs/alerts.yaml', () => {
  test('names what is exposed', () => {
    assert.ok(rules.length > 10);
    assert.deepEqual(
      rules.flatMap(({ alert, expr }) => problemsIn(expr).map((problem) => `${alert}: ${problem}`)),
      [],
    );
  });

  test('has the fields of Prometheus, and each name once', () => {
    for (const { alert, for: pending, labels, annotations, ...rest } of rules) {
      assert.match(alert, /^Linkfold[A-Za-z]+$/);
      assert.match(pending ?? '0m', /^\d+[smhd]$/);
      assert.ok(['critical', 'warning', 'info'].includes(labels.severity), alert);
      assert.deepEqual(Object.keys(annotations), ['summary', 'runbook'], alert);
      assert.deepEqual(Object.keys(rest), ['expr'], alert);
    }
    assert.equal(new Set(rules.map(({ alert }) => alert)).size, rules.length);
  });

  test('has a section in docs/operating.md for every alert, and no others', () => {
    const [, ...paragraphs] = read('docs/operating.md').split(/^#### /m);
    const told = new Map(
      paragraphs.map((paragraph) => {
        const [title = '', ...text] = paragraph.split('\n');
        return [title, text.join('\n').trim()];
      }),
    );
    assert.deepEqual(
      [...told.keys()],
      rules.map(({ alert }) => alert),
    );
    for (const { alert, annotations } of rules) {
      assert.ok((told.get(alert) ?? '').length > 80, `${alert}: no section in the docs explains it`);
      assert.equal(annotations.runbook, `docs/operating.md#${alert.toLowerCase()}`);
    }
  });
});

describe('docs/grafana-dashboard.json', () => {
  test('names what is exposed', () => {
    assert.ok(queries.length > 30);
    const filled = queries.map((query) => ({
      ...query,
      expr: query.expr.replaceAll('$__rate_interval', '5m'),
    }));
    assert.deepEqual(
      filled.flatMap(({ title, expr }) => problemsIn(expr).map((problem) => `${title}: ${problem}`)),
      [],
    );
  });

  test('uses existing labels in legends and variables', () => {
    for (const { title, expr, legendFormat } of queries) {
      for (const [, label = ''] of legendFormat.matchAll(/\{\{(\w+)\}\}/g)) {
        const grouped = /\bby \(([^)]*)\)/.exec(expr)?.[1]?.split(', ');
        const [metric = ''] = /[a-z_]+(?=\{)/.exec(expr) ?? [];
        const own = familyOf(metric)?.samples.flatMap(({ labels }) => Object.keys(labels)) ?? [];
        assert.ok((grouped ?? [...own, ...targetLabels]).includes(label), `${title}: ${label}`);
      }
    }
    const names = dashboard.templating.list.map(({ name }) => name);
    const used = new Set(JSON.stringify(dashboard).match(/\$\{?[a-z]\w*/g) ?? []);
    for (const variable of used) assert.ok(names.includes(variable.replace(/^\$\{?/, '')), variable);
    for (const { query } of dashboard.templating.list) {
      const [, metric] = /label_values\((\w+)/.exec(JSON.stringify(query)) ?? [];
      if (metric !== undefined) assert.ok(familyOf(metric) !== undefined, metric);
    }
  });

  test('has unique panel IDs without overlap', () => {
    assert.equal(new Set(dashboard.panels.map(({ id }) => id)).size, dashboard.panels.length);
    const cells = dashboard.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, at) => `${x + (at % w)} ${y + Math.floor(at / w)}`),
    );
    assert.equal(new Set(cells).size, cells.length);
    assert.ok(dashboard.panels.every(({ gridPos: { x, w } }) => x + w <= 24));
  });

  test('every Linkfold metric is on it or in an alert', () => {
    const everything = [...queries, ...rules].map(({ expr }) => expr).join('\n');
    const unseen = [...families.keys()].filter(
      (name) =>
        name.startsWith('linkfold_') && !new RegExp(`\\b${name}(?:_bucket|_sum|_count)?\\b`).test(everything),
    );
    assert.deepEqual(unseen, []);
  });
});
