import { dimensions } from '../clicks/dimensions/dimensions.ts';
import type { ClickFacts } from '../model/clicks/click-facts.ts';
import { type ClickClass, clickClasses } from '../model/clicks/clicks.ts';
import type { Utm } from '../model/links/destinations/utm.ts';
import type { Decision } from '../rules/decide.ts';
import type { VisitFacts } from '../rules/rule.ts';
import { queryOf } from './path.ts';
import type { Visit } from './visit.ts';

const words = new Map(dimensions.map((dimension) => [dimension.name, dimension]));

function wordOf(name: 'country' | 'os' | 'browser' | 'device', facts: ClickFacts): string {
  const dimension = words.get(name);
  return dimension?.kind === 'number' ? dimension.decode(facts[name]) : '';
}

/** Returns the properties of a visit that redirect rules can test. @param at milliseconds since the epoch */
export function ruleFactsOf(visit: Visit, facts: ClickFacts, at: number): VisitFacts {
  return {
    at,
    class: clickClasses[facts.class] as ClickClass,
    country: wordOf('country', facts),
    region: facts.region,
    os: wordOf('os', facts),
    browser: wordOf('browser', facts),
    device: wordOf('device', facts),
    languages: visit.languages(),
    referrer: facts.referrer,
    query: queryOf(visit.target),
    visitor: facts.visitor,
  };
}

/** Returns the click facts for a visit that a rule has redirected. */
export function clickOfRule(facts: ClickFacts, { rule, name, variant }: Decision): ClickFacts {
  return {
    ...facts,
    rule: name ?? String(rule + 1),
    variant: variant === undefined ? '' : String(variant + 1),
  };
}

/** Adds the link's UTM values to the click facts, for UTM parameters that the requested short URL lacks. */
export function clickOfLink(facts: ClickFacts, { source, medium, campaign, term, content }: Utm): ClickFacts {
  const isOfLink =
    (facts.utmSource === '' && source !== undefined) ||
    (facts.utmMedium === '' && medium !== undefined) ||
    (facts.utmCampaign === '' && campaign !== undefined) ||
    (facts.utmTerm === '' && term !== undefined) ||
    (facts.utmContent === '' && content !== undefined);
  if (!isOfLink) return facts;
  return {
    ...facts,
    utmSource: facts.utmSource || (source ?? ''),
    utmMedium: facts.utmMedium || (medium ?? ''),
    utmCampaign: facts.utmCampaign || (campaign ?? ''),
    utmTerm: facts.utmTerm || (term ?? ''),
    utmContent: facts.utmContent || (content ?? ''),
    utmFrom: 'link',
  };
}
