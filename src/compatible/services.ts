import type { IncomingMessage, RequestListener } from 'node:http';

/** The services with a compatible API, and the root path of each. */
const roots = {
  yourls: '/yourls-api.php',
  shlink: '/rest',
  kutt: '/api/v2',
  bitly: '/v4',
} as const;

export type ServiceName = keyof typeof roots;
export const serviceNames = Object.keys(roots) as ServiceName[];

/**
 * Returns the service whose API a path belongs to; undefined for a single segment such as `/rest`, which may be a code.
 * @param path without the query
 */
export function serviceAt(path: string, services: readonly ServiceName[]): ServiceName | undefined {
  return services.find((name) =>
    name === 'yourls' ? path === roots.yourls : path.startsWith(`${roots[name]}/`),
  );
}

/** Returns the first path segment of each service's API. */
export function firstSegments(services: readonly ServiceName[]): string[] {
  return services.map((name) => roots[name].split('/')[1] ?? '');
}

/** Wraps a listener so that keys of compatible APIs are moved to the header where our API expects them. */
export function withMovedKeys(services: readonly ServiceName[], listener: RequestListener): RequestListener {
  if (services.length === 0) return listener;
  return (request, response) => {
    const [path = ''] = (request.url ?? '').split('?', 1);
    const service = serviceAt(path, services);
    if (service !== undefined) moveKey(request, service);
    listener(request, response);
  };
}

/** Moves the key, and removes cookies: requests to these APIs must not be authenticated by the dashboard's session. */
function moveKey(request: IncomingMessage, service: ServiceName): void {
  const { headers } = request;
  delete headers.cookie;
  const key = keyIn(request, service);
  if (key) headers.authorization = `Bearer ${key}`;
}

function keyIn({ headers, url = '' }: IncomingMessage, service: ServiceName): string | undefined {
  // Some clients of Bitly omit the word `Bearer`.
  if (service === 'bitly') return /^\S+$/.exec(headers.authorization ?? '')?.[0];
  if (service !== 'yourls') return headers['x-api-key']?.toString();
  return new URLSearchParams(url.slice(url.indexOf('?') + 1)).get('signature') ?? undefined;
}
