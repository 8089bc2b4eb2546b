import { type EndpointName, endpoints } from '../../contract/endpoints/endpoints.ts';
import { type ErrorCode, errors } from '../../contract/errors.ts';
import { createHistogram, type Histogram, secondsBounds } from '../../runtime/histogram.ts';

const otherRoutes = ['openapi', 'docs', 'mcp', 'compatible', 'none'] as const;

/**
 * Where a request of the API went: an endpoint by its name, the OpenAPI document, its page, assistants, what answers the programs of other
 * services, or nowhere.
 */
export type RouteName = EndpointName | (typeof otherRoutes)[number];

export interface RouteStats {
  /** Answers by the first digit of their status. */
  readonly answers: Float64Array;
  /** From the request's headers to the end of its answer, in seconds. */
  readonly seconds: Histogram;
}

/** Answers of the API since the start, for metrics. */
export interface ApiStats {
  readonly routes: Readonly<Record<RouteName, RouteStats>>;
  readonly errors: Record<ErrorCode, number>;
}

/** From 0.5 ms: no request is much faster. */
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

/** @param ms how long the answer took */
export function countAnswer({ routes }: ApiStats, route: RouteName, status: number, ms: number): void {
  const { answers, seconds } = routes[route];
  const digit = Number(String(status)[0]);
  answers[digit] = (answers[digit] ?? 0) + 1;
  seconds.observe(ms / 1_000);
}
