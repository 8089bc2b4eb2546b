import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isWanted } from './tracing.ts';

test('enables traces if an endpoint is set and nothing disables them', () => {
  const endpoint = 'http://127.0.0.1:4318';
  assert.equal(isWanted({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }), true);
  assert.equal(isWanted({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: endpoint }), true);
  for (const more of [
    { OTEL_EXPORTER_OTLP_ENDPOINT: '' },
    { OTEL_SDK_DISABLED: 'true' },
    { OTEL_SDK_DISABLED: 'TRUE' },
    { OTEL_TRACES_EXPORTER: 'none' },
  ])
    assert.equal(isWanted({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, ...more }), false, JSON.stringify(more));
  assert.equal(isWanted({}), false);
});
