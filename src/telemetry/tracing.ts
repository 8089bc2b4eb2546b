import { AsyncLocalStorage } from 'node:async_hooks';
import type { Span as OtelSpan } from '@opentelemetry/api';
import type { Span, SpanFacts, Tracing } from '../runtime/tracing.ts';
import type { Logger } from './log.ts';

export interface OpenTracing extends Tracing {
  /** Sends the remaining spans, and waits at most one second. Never rejects. */
  close(): Promise<void>;
}

type Environment = Readonly<Record<string, string | undefined>>;

const patienceMs = 1_000;

/**
 * Returns true if OpenTelemetry's standard variables enable traces: they name an OTLP endpoint, and no variable
 * disables traces.
 */
export function isWanted(env: Environment): boolean {
  const endpoint = env['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'] || env['OTEL_EXPORTER_OTLP_ENDPOINT'];
  const isDisabled = env['OTEL_SDK_DISABLED']?.toLowerCase() === 'true';
  return Boolean(endpoint) && !isDisabled && env['OTEL_TRACES_EXPORTER'] !== 'none';
}

/**
 * Sets up tracing with OpenTelemetry if its standard variables enable it. Otherwise returns undefined, without loading
 * the packages. OpenTelemetry's packages read the other variables (sampler, service name, headers, batch sizes)
 * themselves.
 */
export async function openTracing(
  log: Logger,
  env: Environment = process.env,
): Promise<OpenTracing | undefined> {
  if (!isWanted(env)) return undefined;
  const protocol = env['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL'] || env['OTEL_EXPORTER_OTLP_PROTOCOL'];
  if (protocol && protocol !== 'http/json')
    log.warn({ protocol }, 'traces are sent as http/json; OTEL_EXPORTER_OTLP_PROTOCOL is ignored');
  const { ROOT_CONTEXT, SpanKind, SpanStatusCode, defaultTextMapGetter, trace } = await import(
    '@opentelemetry/api'
  );
  const { BasicTracerProvider, BatchSpanProcessor } = await import('@opentelemetry/sdk-trace-base');
  const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-http');
  const { defaultResource, detectResources, envDetector, resourceFromAttributes } = await import(
    '@opentelemetry/resources'
  );
  const { W3CTraceContextPropagator } = await import('@opentelemetry/core');

  const named = resourceFromAttributes({ 'service.name': 'linkfold' });
  const provider = new BasicTracerProvider({
    resource: defaultResource()
      .merge(named)
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  });
  const tracer = provider.getTracer('linkfold');
  const propagator = new W3CTraceContextPropagator();
  const enclosing = new AsyncLocalStorage<OtelSpan>();

  const spanOf = (span: OtelSpan, isServer: boolean): Span => ({
    enclose: (work) => enclosing.run(span, work),
    end(facts: SpanFacts = {}, error?: string) {
      span.setAttributes(facts);
      if (error !== undefined) span.setAttribute('error.type', error);
      // A server span is marked as failed only for a server error, not for an error that the client caused.
      const isOurs = !isServer || Number(facts['http.response.status_code']) >= lowestServerError;
      if (error !== undefined && isOurs) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    },
  });

  return {
    begin(name) {
      const parent = enclosing.getStore();
      const context = parent === undefined ? ROOT_CONTEXT : trace.setSpan(ROOT_CONTEXT, parent);
      return spanOf(tracer.startSpan(name, { kind: SpanKind.INTERNAL }, context), false);
    },
    beginRequest(name, headers) {
      const context = propagator.extract(ROOT_CONTEXT, headers, defaultTextMapGetter);
      return spanOf(tracer.startSpan(name, { kind: SpanKind.SERVER }, context), true);
    },
    async close() {
      const { promise: tooLate, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, patienceMs);
      await Promise.race([provider.shutdown().catch(() => {}), tooLate]);
      clearTimeout(timer);
    },
  };
}

const lowestServerError = 500;
