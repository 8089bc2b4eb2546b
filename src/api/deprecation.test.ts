import assert from 'node:assert/strict';
import { test } from 'node:test';
import Fastify from 'fastify';
import * as z from 'zod';
import { type Endpoint, endpoint } from '../contract/endpoint.ts';
import { createFailureResponses } from '../contract/openapi/failures.ts';
import { operation } from '../contract/openapi/operations.ts';
import { createSchemas } from '../contract/openapi/schemas.ts';
import { createSharedParts } from '../contract/openapi/shared-parts.ts';
import { type ApiOptions, addRoute } from './api.ts';
import type { Handler } from './request/handler.ts';

/** No real endpoint is deprecated, so the test defines one. */
const old: Endpoint = endpoint('GET', '/old', {
  access: { key: 'none' },
  summary: 'An old thing',
  description: 'What it does.',
  deprecation: { since: '2027-03-01', sunset: '2028-06-01', instead: 'Use the new thing.' },
  query: { wrong: z.literal('').optional() },
  success: { status: 200, description: 'The thing.', body: z.object({ success: z.literal(true) }) },
  failures: ['VALIDATION_ERROR'],
});
const handler: Handler<Endpoint> = { run: async () => ({ success: true }) as never };

test('returns deprecation date, sunset date and documentation link in every response from a deprecated endpoint', async () => {
  const fastify = Fastify();
  const options = { addressOf: () => undefined, context: { now: () => 0 } } as unknown as ApiOptions;
  addRoute(fastify, options, 'me', old, handler);
  for (const [path, status] of [
    ['/api/v1/old', 200],
    ['/api/v1/old?wrong=1', 500], // no error handler is mounted here
  ] as const) {
    const { statusCode, headers } = await fastify.inject(path);
    assert.equal(statusCode, status);
    assert.equal(headers['deprecation'], '@1803859200');
    assert.equal(headers['sunset'], 'Thu, 01 Jun 2028 00:00:00 GMT');
    assert.equal(headers['link'], '</api/v1/docs>; rel="deprecation"; type="text/html"');
  }
});

test('marks the endpoint in the OpenAPI document and documents the headers on every response', () => {
  const [schemas, parts] = [createSchemas(), createSharedParts()];
  const failures = createFailureResponses(schemas, parts);
  const made = operation('oldThing', old, 'Things', { schemas, failures, parts });
  assert.equal(made['deprecated'], true);
  assert.match(String(made['description']), /Use the new thing\./);
  for (const { headers } of Object.values(made['responses'] as Record<string, { headers: object }>))
    for (const name of ['Deprecation', 'Sunset', 'Link']) assert.ok(name in headers);
});
