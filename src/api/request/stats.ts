import { type EndpointName, endpoints } from '../../contract/endpoints/endpoints.ts';
import { type ErrorCode, errors } from '../../contract/errors.ts';
import { createHistogram, type Histogram, secondsBounds } from '../../runtime/histogram.ts';

const otherRoutes = ['openapi', 'docs', 'mcp', 'compatible', 'none'] as const;

/**
 * A request's label in metrics: the endpoint's name, or one of the other routes (OpenAPI document, documentation, MCP,
 * APIs compatible with other services, unknown route).
 */
export type RouteName = EndpointName | (typeof otherRoutes)[number];

export interface RouteStats {
  /** Number of responses by the first digit of the status code. */
  readonly answers: Float64Array;
  /** Seconds from the arrival of the request's headers until the response is ready to be sent. */
  readonly seconds: Histogram;
}

/** Counts of API responses since the process started, for metrics. */
export interface ApiStats {
  readonly routes: Readonly<Record<RouteName, RouteStats>>;
  readonly errors: Record<ErrorCode, number>;
}

/** Bucket bounds. The lowest is 0.5 ms, because hardly any request takes less. */
const answerBounds = secondsBounds.filter((seconds) => seconds >= 0.0005);

export function createApiStats(): ApiStats {
  const routes = [...Object.keys(endpoints), ...otherRoutes].map((name) => [
    name,
    { answers: new Float64Array(6), seconds: createHistogram(answerBounds) },
  ]);
  return {
    routes: Object.fromEntries(routes),
    errors: Object.fromEntries(Object.keys(errors).map((code) => [code, 0])) as Record<ErrorCode, number>,
  };
}

/** Counts a response. @param ms duration of the request in milliseconds */
export function countAnswer({ routes }: ApiStats, route: RouteName, status: number, ms: number): void {
  const { answers, seconds } = routes[route];
  const digit = Number(String(status)[0]);
  answers[digit] = (answers[digit] ?? 0) + 1;
  seconds.observe(ms / 1_000);
}
