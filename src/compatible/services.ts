import type { IncomingMessage, RequestListener } from 'node:http';

/** The services whose programs may be answered in their own terms, and the path below which each one's interface is. */
const roots = {
  yourls: '/yourls-api.php',
  shlink: '/rest',
  kutt: '/api/v2',
  bitly: '/v4',
} as const;

export type ServiceName = keyof typeof roots;
export const serviceNames = Object.keys(roots) as ServiceName[];

/**
 * Finds the service whose interface a path belongs to. A single segment, such as `/rest`, belongs to none: it may be a code.
 * @param path without its query
 */
export function serviceAt(path: string, services: readonly ServiceName[]): ServiceName | undefined {
  return services.find((name) =>
    name === 'yourls' ? path === roots.yourls : path.startsWith(`${roots[name]}/`),
  );
}

/** The first segments of the interfaces of services. */
export function firstSegments(services: readonly ServiceName[]): string[] {
  return services.map((name) => roots[name].split('/')[1] ?? '');
}

/** Where a service's interface is asked, moves the key of the request to where our API expects it. */
export function withMovedKeys(services: readonly ServiceName[], listener: RequestListener): RequestListener {
  if (services.length === 0) return listener;
  return (request, response) => {
    const [path = ''] = (request.url ?? '').split('?', 1);
    const service = serviceAt(path, services);
    if (service !== undefined) moveKey(request, service);
    listener(request, response);
  };
}

/** A cookie is none of the credentials there: these programs are no pages of this server. */
function moveKey(request: IncomingMessage, service: ServiceName): void {
  const { headers } = request;
  delete headers.cookie;
  const key = keyIn(request, service);
  if (key) headers.authorization = `Bearer ${key}`;
}

function keyIn({ headers, url = '' }: IncomingMessage, service: ServiceName): string | undefined {
  // A client of Bitly leaves out the word before the token.
  if (service === 'bitly') return /^\S+$/.exec(headers.authorization ?? '')?.[0];
  if (service !== 'yourls') return headers['x-api-key']?.toString();
  return new URLSearchParams(url.slice(url.indexOf('?') + 1)).get('signature') ?? undefined;
}
