import { type Expected, keyOf, type Link, type Model, refuse } from './basics.ts';
import { type Rule, utmNames } from './settings.ts';

export interface Visit {
  readonly method: 'GET' | 'HEAD' | 'POST';
  readonly preview: boolean;
  readonly html: boolean;
  /** Query of the short URL, without `?`. */
  readonly query: string;
  /** Class under which a redirected visit is counted. */
  readonly visitor: string;
}

export type State = 'active' | 'scheduled' | 'expired' | 'disabled' | 'exhausted';

export function stateOf(link: Link, now: number): State {
  if (link.disabled) return 'disabled';
  if (link.expiresAt !== null && now >= link.expiresAt) return 'expired';
  if (link.maxClicks !== null && link.usedClicks >= link.maxClicks) return 'exhausted';
  return link.startsAt !== null && now < link.startsAt ? 'scheduled' : 'active';
}

/** Error responses for visitors: code, page status and page title. */
const turnedAway = {
  scheduled: ['LINK_NOT_STARTED', 404, 'This link is not active yet'],
  expired: ['LINK_EXPIRED', 410, 'This link has expired'],
  disabled: ['LINK_UNAVAILABLE', 410, 'This link is not available'],
  exhausted: ['LINK_EXHAUSTED', 410, 'This link has reached its click limit'],
  gone: ['LINK_UNAVAILABLE', 410, 'This link is not available'],
  // Prefetch requests are rejected for links with a click limit.
  ahead: ['LINK_UNAVAILABLE', 410, 'Something went wrong'],
  unknown: ['CODE_NOT_FOUND', 404, 'Link not found'],
  unfit: ['METHOD_NOT_ALLOWED', 405, 'Something went wrong'],
} as const;

/** Follows a short link. `clicks` is the number of redirected visits of all classes (CONTRACT §6). */
export function follow(model: Model, domain: string, code: string, visit: Visit): Expected {
  const refused = (why: keyof typeof turnedAway): Expected => {
    const [error, status, holds] = turnedAway[why];
    return visit.html ? { kind: 'page', status, holds } : refuse(error);
  };
  const holder = model.codes.get(keyOf(domain, code));
  const link = holder?.live ? holder.link : undefined;
  const isSingleUse = link?.maxClicks === 1;
  const isRepeated = [307, 308].includes(link?.redirectStatus ?? 0) && !visit.preview;
  if (visit.method === 'POST' && !isSingleUse && !isRepeated) return refused('unfit');
  if (link === undefined) return refused('unknown');
  const state = stateOf(link, model.now);
  if (state === 'scheduled') return refused('scheduled');
  if (state !== 'active') {
    if (link.expiredUrl === null) return refused(state);
    return { kind: 'redirect', status: 302, location: link.expiredUrl };
  }

  const looks = visit.preview && visit.method !== 'POST';
  const target = targetFor(link, visit, model.now);
  if (target === undefined && !looks) return refused('gone');
  if (isSingleUse && visit.method !== 'POST')
    return { kind: 'page', status: 200, holds: 'You can use this link only once' };
  if (looks || target === undefined) {
    const location = withUtm(new URL(link.destination).href, link.utm);
    return { kind: 'page', status: 200, holds: `href="${location.replaceAll('&', '&amp;')}"` };
  }
  const isPerson = isSingleUse || visit.visitor === 'human';
  if (visit.method !== 'HEAD') {
    if (link.maxClicks !== null && !isSingleUse && visit.visitor === 'prefetch') return refused('ahead');
    if (link.maxClicks !== null && isPerson) link.usedClicks += 1;
    const sum = `${Math.floor(model.now / 3_600_000)} ${visit.visitor}`;
    link.clicks.set(sum, (link.clicks.get(sum) ?? 0) + 1);
  }
  const location = merged(withUtm(target, link.utm), visit.query, link.forwardQuery ?? 'none');
  return { kind: 'redirect', status: isSingleUse ? 303 : (link.redirectStatus ?? 302), location };
}

/**
 * Returns the target of the first matching rule, or the link's own target if none matches. Undefined if the rule blocks
 * the visit.
 */
function targetFor(link: Link, visit: Visit, now: number): string | undefined {
  const rules: readonly Rule[] = JSON.parse(link.rules ?? '[]');
  const to = rules.find(({ when }) => when.every((condition) => holds(condition, visit, now)))?.to;
  if (to === undefined) return new URL(link.destination).href;
  if ('url' in to) return new URL(to.url).href;
  return 'split' in to ? new URL(to.split[0].url).href : undefined;
}

function holds({ fact, not = false, ...asked }: Rule['when'][number], visit: Visit, now: number): boolean {
  const { values = [], name, from = '' } = asked;
  if (fact === 'class') return values.includes(visit.visitor) !== not;
  if (fact === 'date') return now >= Date.parse(from) !== not;
  return visit.query.split('&').some((pair) => pair.split('=')[0] === name) !== not;
}

function withUtm(location: string, utm: string | null): string {
  const given: Readonly<Record<string, string>> = JSON.parse(utm ?? '{}');
  const pairs = utmNames.filter((name) => name in given);
  const query = pairs.map((name) => `utm_${name}=${encodeURIComponent(given[name] ?? '')}`).join('&');
  return merged(location, query, 'override');
}

/** Merges query parameters into a URL. `mode` decides which value wins if both have the same name. */
function merged(location: string, query: string, mode: string): string {
  const nameOf = (pair: string): string => pair.split('=')[0] ?? '';
  const given = query.split('&').filter((pair) => pair !== '' && nameOf(pair) !== 'trigger');
  if (mode === 'none' || given.length === 0) return location;
  const [, base, own = '', fragment = ''] = /^([^?#]*)(?:\?([^#]*))?(#.*)?$/.exec(location) ?? [];
  const had = own.split('&').filter((pair) => pair !== '');
  const without = (pairs: readonly string[], others: readonly string[]): string[] =>
    pairs.filter((pair) => !others.some((other) => nameOf(other) === nameOf(pair)));
  const all = mode === 'override' ? [...without(had, given), ...given] : [...had, ...without(given, had)];
  return `${base}?${all.join('&')}${fragment}`;
}
