import assert from 'node:assert/strict';
import { createServer, type Server as HttpServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { as, call, type Server, startFromSource, startServer } from '../../support/server/server.ts';

// Traces as an OpenTelemetry collector receives them over OTLP/HTTP.

interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly { key: string; value: Record<string, string | number> }[];
  readonly status: { readonly code?: number };
}
interface Export {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: Span['attributes'] };
    readonly scopeSpans: readonly { readonly spans: readonly Span[] }[];
  }[];
}

const serverKind = 2;
const errorStatus = 2;

/** Starts a collector that stores the requests it receives. */
async function startCollector() {
  const bodies: string[] = [];
  const headers: Record<string, unknown>[] = [];
  const server: HttpServer = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk) => (body += chunk));
    request.on('end', () => {
      assert.equal(`${request.method} ${request.url}`, 'POST /v1/traces');
      assert.equal(request.headers['content-type'], 'application/json');
      headers.push(request.headers);
      bodies.push(body);
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const exports = () => bodies.flatMap((body) => (JSON.parse(body) as Export).resourceSpans);
  const spans = (): Span[] =>
    exports().flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    text: () => bodies.join('\n'),
    headers,
    exports,
    spans,
    /** Waits for the first matching span and returns it. */
    async span(what: string, fits: (span: Span) => boolean): Promise<Span> {
      for (const end = performance.now() + 5_000; performance.now() < end; ) {
        const found = spans().find(fits);
        if (found !== undefined) return found;
        await new Promise((resolve) => setTimeout(resolve, 25));
      }
      throw new Error(`No span ${what} among ${spans().map(({ name }) => name)}`);
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

function factsOf({ attributes }: Pick<Span, 'attributes'>): Record<string, string | number> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0] ?? '']));
}

const often = { OTEL_BSP_SCHEDULE_DELAY: '50' };
const telling = {
  NODE_OPTIONS: `--import=${pathToFileURL(join(import.meta.dirname, '../../support/server/loaded-packages.ts'))}`,
};

function newTrace(): string {
  return crypto.randomUUID().replaceAll('-', '');
}
const callerSpan = '00f067aa0ba902b7';
function traceparent(traceId: string, flags = '01') {
  return {
    traceparent: `00-${traceId}-${callerSpan}-${flags}`,
  };
}

describe('traces', () => {
  let collector: Awaited<ReturnType<typeof startCollector>>;
  let server: Server;
  let key: string;
  let api: ReturnType<typeof as>;
  before(async () => {
    collector = await startCollector();
    server = await startServer({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=ours',
      OTEL_SERVICE_NAME: 'our-links',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
      ...often,
    });
    key = (await server.newKey()).key;
    api = as(server, key);
  });
  after(async () => {
    await server.stop();
    collector.close();
  });

  const spanOf = (traceId: string, name: string): Promise<Span> =>
    collector.span(`${name} of ${traceId}`, (span) => span.traceId === traceId && span.name === name);

  test('records a request as a span of its trace, with its write as a child', async () => {
    const traceId = newTrace();
    const answer = await api.post(
      '/api/v1/shorten',
      { url: 'https://secret.example.com/', customCode: 'traced' },
      traceparent(traceId),
    );
    assert.equal(answer.status, 201);
    const request = await spanOf(traceId, 'POST /api/v1/shorten');
    assert.equal(request.parentSpanId, callerSpan);
    assert.equal(request.kind, serverKind);
    assert.deepEqual(factsOf(request), {
      'http.request.method': 'POST',
      'http.route': '/api/v1/shorten',
      'http.response.status_code': 201,
      'linkfold.endpoint': 'shorten',
      'linkfold.request_id': answer.headers.get('x-request-id'),
    });
    assert.notEqual(request.status.code, errorStatus);

    const write = await spanOf(traceId, 'storage createLink');
    assert.equal(write.parentSpanId, request.spanId);
    const facts = factsOf(write);
    assert.deepEqual(Object.keys(facts), [
      'linkfold.wait_ms',
      'linkfold.commit_ms',
      'linkfold.commit_writes',
    ]);
    assert.ok(Number(facts['linkfold.commit_ms']) > 0 && Number(facts['linkfold.commit_writes']) >= 1);
    assert.ok(BigInt(write.startTimeUnixNano) >= BigInt(request.startTimeUnixNano));
    assert.ok(BigInt(write.endTimeUnixNano) <= BigInt(request.endTimeUnixNano));
  });

  test('also with an Idempotency-Key, and with a chunked body', async () => {
    const traceId = newTrace();
    const pieces = new ReadableStream({
      async start(controller) {
        for (const piece of ['{"url":', '"https://example.com/', 'pieces"}']) {
          controller.enqueue(new TextEncoder().encode(piece));
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
        controller.close();
      },
    });
    const response = await fetch(`${server.url}/api/v1/shorten`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'idempotency-key': 'once',
        ...traceparent(traceId),
      },
      body: pieces,
      duplex: 'half',
    } as RequestInit);
    assert.equal(response.status, 201);
    const request = await spanOf(traceId, 'POST /api/v1/shorten');
    assert.equal((await spanOf(traceId, 'storage createLink')).parentSpanId, request.spanId);
  });

  test('keeps writes of concurrent requests apart', async () => {
    const traces = Array.from({ length: 20 }, newTrace);
    await Promise.all(
      traces.map((traceId) =>
        api.post('/api/v1/folders', { name: `folder ${traceId}` }, traceparent(traceId)),
      ),
    );
    for (const traceId of traces) {
      const request = await spanOf(traceId, 'POST /api/v1/folders');
      assert.equal((await spanOf(traceId, 'storage createFolder')).parentSpanId, request.spanId);
    }
  });

  test('shows the code of a refusal; marks only server faults as errors', async () => {
    const traceId = newTrace();
    await api.post('/api/v1/shorten', { url: 'not an address' }, traceparent(traceId));
    const refused = await spanOf(traceId, 'POST /api/v1/shorten');
    assert.equal(factsOf(refused)['error.type'], 'INVALID_URL');
    assert.notEqual(refused.status.code, errorStatus);

    const lost = newTrace();
    await api.get(`/api/v1/nothing/${lost}`, traceparent(lost));
    const facts = factsOf(await spanOf(lost, 'GET'));
    assert.equal(facts['error.type'], 'ROUTE_NOT_FOUND');
    assert.equal(facts['http.route'], undefined);

    const unknown = newTrace();
    await call(server, 'GET', '/api/v1/links', { headers: traceparent(unknown) });
    assert.equal(factsOf(await spanOf(unknown, 'GET /api/v1/links'))['error.type'], 'MISSING_API_KEY');
  });

  test('does not sample a trace unsampled by its caller; starts a trace without one', async () => {
    const silent = newTrace();
    await api.get('/api/v1/me', traceparent(silent, '00'));
    await api.get('/api/v1/me');
    const own = await collector.span('of its own', ({ name }) => name === 'GET /api/v1/me');
    assert.equal(own.parentSpanId || undefined, undefined);
    assert.ok(!collector.text().includes(silent));
  });

  test('traces a run of the applier and its write, but no redirects', async () => {
    const traceId = newTrace();
    assert.equal((await call(server, 'GET', '/traced', { headers: traceparent(traceId) })).status, 302);
    const run = await collector.span('of the applier', ({ name }) => name === 'apply clicks');
    assert.equal(run.parentSpanId || undefined, undefined);
    const write = await spanOf(run.traceId, 'storage applyClicks');
    assert.equal(write.parentSpanId, run.spanId);
    assert.ok(!collector.text().includes(traceId));
  });

  test('names the service by the standard variables, and includes nothing secret or personal', () => {
    for (const { resource } of collector.exports()) {
      const facts = factsOf(resource);
      assert.equal(facts['service.name'], 'our-links');
      assert.equal(facts['deployment.environment.name'], 'test');
      assert.deepEqual(
        Object.keys(facts).filter((name) => /^(host|process|os)\./.test(name)),
        [],
      );
    }
    assert.ok(collector.headers.every((headers) => headers['x-tenant'] === 'ours'));
    const text = collector.text();
    for (const secret of [key, key.slice(13), 'secret.example.com', '/traced', '127.0.0.1', 'undici']) {
      assert.ok(!text.includes(secret), secret);
    }
  });
});

test('loads no package when disabled', async () => {
  const server = await startFromSource({
    ...telling,
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9',
    OTEL_SDK_DISABLED: 'true',
  });
  await call(server, 'GET', '/api/v1/me');
  await server.stop();
  assert.match(server.output(), /^loaded fastify$/m, 'the test detects loaded packages');
  assert.doesNotMatch(server.output(), /^loaded @opentelemetry/m);
});

describe('an unavailable collector', () => {
  const work = async (server: Server): Promise<void> => {
    const api = as(server, (await server.newKey()).key);
    const { shortCode } = (await api.post('/api/v1/shorten', { url: 'https://example.com/' })).json.data;
    const statuses = new Set<number>();
    // Sends only a few requests at a time, because a busy machine would reject more.
    for (let round = 0; round < 30; round += 1) {
      const asked = [1, 2, 3, 4, 5].flatMap(() => [
        api.get('/api/v1/me'),
        call(server, 'GET', `/${shortCode}`),
      ]);
      for (const { status } of await Promise.all(asked)) statuses.add(status);
    }
    assert.deepEqual([...statuses].sort(), [200, 302]);
    await new Promise((resolve) => setTimeout(resolve, 200)); // During this pause, some exports fail.
    assert.equal((await call(server, 'GET', '/readyz')).status, 200);
    const complaints = server
      .output()
      .split('\n')
      .filter((line) => /"level":[456]0/.test(line));
    assert.deepEqual(complaints, []);
    const began = performance.now();
    assert.equal(await server.stop(), 0);
    assert.ok(performance.now() - began < 9_000, 'stopping waited for the collector');
  };

  test('affects no request when refusing connections', async (t) => {
    const server = await startServer({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9', ...often });
    t.after(() => server.stop());
    await work(server);
  });

  test('affects no request when it never responds', async (t) => {
    const silent = createTcpServer((socket) => socket.on('error', () => {}).resume());
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    t.after(() => silent.close());
    const { port } = silent.address() as AddressInfo;
    const server = await startServer({
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
      ...often,
    });
    t.after(() => server.stop());
    await work(server);
  });
});
