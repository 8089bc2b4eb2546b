/** Path prefixes removed from request targets, keyed by the request's headers, which every layer receives. */
const removed = new WeakMap<object, string>();

/** Records the path that was removed from the target of a request. */
export function setBasePath(headers: object, path: string): void {
  removed.set(headers, path);
}

/** Returns the path under which the client sees this request, without a slash at the end; empty for the root. */
export function basePathOf(headers: object): string {
  return removed.get(headers) ?? '';
}

/** Returns the path of a `BASE_URL`, without a slash at the end; empty if it has none. */
export function pathOfBase(url: string | null): string {
  return (url ?? '').replace(/^https?:\/\/[^/]*/, '');
}

/** @returns a sentence for each setting that needs a server at the root of its host */
export function pathProblems(values: Readonly<Record<string, unknown>>): string[] {
  if (pathOfBase(values['BASE_URL'] as string | null) === '') return [];
  return [
    ...(values['OTHER_HOSTS'] === 'shared' ? ['OTHER_HOSTS=shared requires a BASE_URL without a path.'] : []),
    ...(values['DASHBOARD_HOST'] == null ? [] : ['DASHBOARD_HOST requires a BASE_URL without a path.']),
  ];
}
