/** Names of methods that cannot be derived from the names of their functions. */
const methods: Readonly<Record<string, string>> = {
  shorten: 'create',
  accountStatistics: 'get',
  accountClicks: 'list',
};
/** Names of resources that differ from their paths. */
const resources: Readonly<Record<string, string>> = {
  shorten: 'links',
  aliases: 'links',
  stats: 'statistics',
  shared: 'shares',
};

/**
 * Returns the resource and the method for a function, such as `folders` and `create` for `createFolder`.
 * @param path path of the endpoint, such as `/folders/:id`
 */
export function methodOf(name: string, path: string): readonly [resource: string, method: string] {
  const word = path.split('/')[1] ?? '';
  const resource = resources[word] ?? word.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
  const [first = '', ...others] = resource.replace(/(?:ie)?s$/, '');
  const noun = `[${first}${first.toUpperCase()}]${others.join('')}`;
  const rest = name.replace(new RegExp(`${noun}(?:ies|y|s)?(?![a-z])`), '');
  return [resource, methods[name] ?? rest.charAt(0).toLowerCase() + rest.slice(1)];
}

/** Groups functions by resource, so that `createFolder` can also be called as `folders.create`. */
export function group<Call>(
  calls: Readonly<Record<string, Call>>,
  endpoints: Readonly<Record<string, { readonly path: string }>>,
): Record<string, Record<string, Call>> {
  const groups: Record<string, Record<string, Call>> = {};
  for (const [name, call] of Object.entries(calls)) {
    const [resource, method] = methodOf(name, endpoints[name]?.path ?? '');
    if (!(resource in endpoints)) groups[resource] = { ...groups[resource], [method]: call };
  }
  return groups;
}
