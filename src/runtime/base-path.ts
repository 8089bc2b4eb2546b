/**
 * Path prefixes that were removed from request URLs. The key is the request's headers object, because every layer that
 * handles the request receives the same object.
 */
const removed = new WeakMap<object, string>();

/** Records the path prefix that was removed from a request's URL. */
export function setBasePath(headers: object, path: string): void {
  removed.set(headers, path);
}

/** Returns the path prefix in the URL that the client requested, without a trailing slash; empty for the root. */
export function basePathOf(headers: object): string {
  return removed.get(headers) ?? '';
}

/** Returns the path of a `BASE_URL` without a trailing slash, or an empty string if it has no path. */
export function pathOfBase(url: string | null): string {
  return (url ?? '').replace(/^https?:\/\/[^/]*/, '');
}

/** Returns a sentence for each setting that requires a `BASE_URL` without a path. */
export function pathProblems(values: Readonly<Record<string, unknown>>): string[] {
  if (pathOfBase(values['BASE_URL'] as string | null) === '') return [];
  return [
    ...(values['OTHER_HOSTS'] === 'shared' ? ['OTHER_HOSTS=shared requires a BASE_URL without a path.'] : []),
    ...(values['DASHBOARD_HOST'] == null ? [] : ['DASHBOARD_HOST requires a BASE_URL without a path.']),
  ];
}
