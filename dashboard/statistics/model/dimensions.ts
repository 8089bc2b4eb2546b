import type { StatisticsDimension } from '../../../src/model/clicks/statistics.ts';

/** Panels, each with related breakdowns, one of which is visible. */
export const panels = {
  links: ['link', 'folder', 'domain'],
  sources: ['referrer', 'referrerKind', 'utmSource'],
  places: ['country', 'region', 'language', 'network'],
  systems: ['os', 'browser', 'device'],
  triggers: ['trigger', 'rule', 'variant', 'utmCampaign', 'utmMedium', 'utmTerm', 'utmContent', 'utmFrom'],
} as const satisfies Readonly<Record<string, readonly StatisticsDimension[]>>;
export type Panel = keyof typeof panels;

export type SubjectKind = 'account' | 'link' | 'folder' | 'tag';

/** Returns the panels of a subject. A single link needs no breakdown by link, folder or domain. */
export function panelsFor(kind: SubjectKind): readonly Panel[] {
  const all: readonly Panel[] = ['sources', 'places', 'systems', 'triggers'];
  return kind === 'link' ? all : ['links', ...all];
}

export function dimensionsOf(panel: Panel, kind: SubjectKind): readonly StatisticsDimension[] {
  return panels[panel].filter((dimension) => dimension !== 'folder' || kind !== 'folder');
}

/** Dimensions in the filter menu. Filters for all others are set from their breakdowns. */
export const filterable = [
  ...['country', 'referrer', 'referrerKind', 'device', 'os', 'browser', 'language', 'trigger'],
  ...['utmSource', 'utmMedium', 'utmCampaign', 'link', 'folder', 'domain'],
] as const satisfies readonly StatisticsDimension[];

const every: ReadonlySet<string> = new Set([...Object.values(panels).flat(), 'class']);

export function isDimension(name: string): name is StatisticsDimension {
  return every.has(name);
}

/** Dimensions with free-text values, which can be searched by substring. */
export function isText(dimension: StatisticsDimension): boolean {
  return (
    ['referrer', 'region', 'rule', 'network', 'domain'].includes(dimension) || dimension.startsWith('utm')
  );
}
