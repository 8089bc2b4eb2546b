import type { StatisticsDimension } from '../../../src/model/clicks/statistics.ts';

/** Panels with their related breakdowns. Each panel shows one breakdown at a time. */
export const panels = {
  links: ['link', 'folder', 'domain'],
  sources: ['referrer', 'referrerKind', 'utmSource'],
  places: ['country', 'region', 'language', 'network'],
  systems: ['os', 'browser', 'device'],
  triggers: ['trigger', 'rule', 'variant', 'utmCampaign', 'utmMedium', 'utmTerm', 'utmContent', 'utmFrom'],
} as const satisfies Readonly<Record<string, readonly StatisticsDimension[]>>;
export type Panel = keyof typeof panels;

export type SubjectKind = 'account' | 'link' | 'folder' | 'tag';

/** Returns the panels for a subject. A single link needs no breakdown by link, folder or domain. */
export function panelsFor(kind: SubjectKind): readonly Panel[] {
  const all: readonly Panel[] = ['sources', 'places', 'systems', 'triggers'];
  return kind === 'link' ? all : ['links', ...all];
}

export function dimensionsOf(panel: Panel, kind: SubjectKind): readonly StatisticsDimension[] {
  return panels[panel].filter((dimension) => dimension !== 'folder' || kind !== 'folder');
}

/** Dimensions in the filter menu. For all other dimensions, users set filters by clicking a value in the breakdown. */
export const filterable = [
  ...['country', 'referrer', 'referrerKind', 'device', 'os', 'browser', 'language', 'trigger'],
  ...['utmSource', 'utmMedium', 'utmCampaign', 'link', 'folder', 'domain'],
] as const satisfies readonly StatisticsDimension[];

const every: ReadonlySet<string> = new Set([...Object.values(panels).flat(), 'class']);

export function isDimension(name: string): name is StatisticsDimension {
  return every.has(name);
}

/** Returns true if a dimension has free-text values, which filters can match by substring. */
export function isText(dimension: StatisticsDimension): boolean {
  return (
    ['referrer', 'region', 'rule', 'network', 'domain'].includes(dimension) || dimension.startsWith('utm')
  );
}
