import type { IncomingMessage, RequestListener } from 'node:http';

/** Services that Linkfold has a compatible API for, with the root path of each API. */
const roots = {
  yourls: '/yourls-api.php',
  shlink: '/rest',
  kutt: '/api/v2',
  bitly: '/v4',
} as const;

export type ServiceName = keyof typeof roots;
export const serviceNames = Object.keys(roots) as ServiceName[];

/**
 * Returns the service whose API contains a path. Returns undefined for a single segment such as `/rest`, which may be a
 * code.
 * @param path path without the query
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

/** Wraps a listener so that the keys in requests to compatible APIs are moved to the `Authorization` header. */
export function withMovedKeys(services: readonly ServiceName[], listener: RequestListener): RequestListener {
  if (services.length === 0) return listener;
  return (request, response) => {
    const [path = ''] = (request.url ?? '').split('?', 1);
    const service = serviceAt(path, services);
    if (service !== undefined) moveKey(request, service);
    listener(request, response);
  };
}

/**
 * Moves the key to the `Authorization` header. Removes cookies, because requests to compatible APIs must not be
 * authenticated by a dashboard session.
 */
function moveKey(request: IncomingMessage, service: ServiceName): void {
  const { headers } = request;
  delete headers.cookie;
  const key = keyIn(request, service);
  if (key) headers.authorization = `Bearer ${key}`;
}

function keyIn({ headers, url = '' }: IncomingMessage, service: ServiceName): string | undefined {
  // Some Bitly clients omit the word `Bearer` and send only the key.
  if (service === 'bitly') return /^\S+$/.exec(headers.authorization ?? '')?.[0];
  if (service !== 'yourls') return headers['x-api-key']?.toString();
  return new URLSearchParams(url.slice(url.indexOf('?') + 1)).get('signature') ?? undefined;
}
