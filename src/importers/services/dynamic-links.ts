import type { LinkLine } from '../format.ts';
import { lostOf, rulesFrom } from '../rows.ts';

const hosts = /(?:^|\.)(?:page\.link|app\.goo\.gl)$/;
const own = ['apn', 'ibi', 'isi', 'afl', 'ifl', 'ofl', 'ius', 'amv', 'imv', 'efr', 'ipfl', 'ipbi'];

/**
 * Parses the long form of a Firebase Dynamic Link: its destination, and where phones without the app are redirected.
 * @returns undefined for any other URL
 */
export function fromDynamicLink(text: string): Partial<LinkLine> | undefined {
  const url = URL.canParse(text) ? new URL(text) : null;
  const parameter = (name: string): string | undefined => url?.searchParams.get(name) || undefined;
  const link = parameter('link');
  const has = (...names: readonly string[]): boolean => names.some((name) => parameter(name) !== undefined);
  if (url === null || link === undefined || !URL.canParse(link)) return undefined;
  if (!hosts.test(url.hostname) && !has(...own)) return undefined;
  const [android, ios] = [parameter('apn'), parameter('isi')];
  const utm = [...url.searchParams].flatMap(([name, value]) => {
    const [, ours] = /^utm_(source|medium|campaign|term|content)$/.exec(name) ?? [];
    return ours === undefined || value === '' ? [] : [[ours, value]];
  });
  return {
    url: link,
    rules: rulesFrom({
      ios: parameter('ifl') ?? (ios && `https://apps.apple.com/app/id${encodeURIComponent(ios)}`),
      android:
        parameter('afl') ??
        (android && `https://play.google.com/store/apps/details?id=${encodeURIComponent(android)}`),
      desktop: parameter('ofl'),
    }),
    utm: utm.length === 0 ? undefined : Object.fromEntries(utm),
    lost: lostOf({
      app: has('apn', 'ibi', 'ius'),
      'iPad destination': has('ipfl', 'ipbi'),
      'store campaign': has('at', 'ct', 'mt', 'pt', 'gclid'),
      card: has('st', 'sd', 'si'),
    }),
  };
}
