import type { ClickFacts } from '../../model/clicks/click-facts.ts';
import { type ClickClass, indexOfClass } from '../../model/clicks/clicks.ts';
import { type Agent, longestAgent, readAgent } from './agents.ts';
import { longestQuery, readCampaign } from './campaigns.ts';
import { type Geolocate, withProxyCountry } from './countries.ts';
import { longestLanguage, readLanguage } from './languages.ts';
import { createReadReferrer, longestReferer } from './referrers.ts';
import { remembered } from './remembered.ts';
import type { VisitHeaders } from './visit-headers.ts';
import { type Digest, digestOf, type Salt, visitorOf } from './visitors.ts';

/** What is read of a visit. Nothing of it is kept but what {@link ClickFacts} says. */
export interface VisitSource extends Readonly<VisitHeaders> {
  /** Of the short URL as it was visited, without `?`. */
  readonly query: string;
  /** The host of the domain that was visited; empty for the shared one. */
  readonly domain: string;
  /** An IPv4 address or an IPv6 network; empty when it is not known. */
  readonly address: string;
}

export interface FactsOptions {
  /** The class of a visitor, by its user agent; empty when there is none. Asked once for each. */
  readonly classOfAgent: (agent: string) => ClickClass;
  /** Of our own pages, in lower case, without port: they are no referrer. */
  readonly ownHosts: readonly string[];
  readonly placeOf: Geolocate;
  /** Of today; undefined while there is none: then no visitor is distinguished. */
  readonly salt: () => Salt | undefined;
  /** Whether visitors that opt out are not distinguished. */
  readonly honoursOptOut: boolean;
}

interface KnownAgent {
  readonly classIndex: number;
  readonly agent: Agent;
  readonly digest: Digest;
}

/** Reads what a visit says. */
export type ReadFacts = (visit: VisitSource) => ClickFacts;

/** Makes that function. It takes about 2 µs and never throws. */
export function createReadFacts(options: FactsOptions): ReadFacts {
  const { classOfAgent, ownHosts, placeOf, salt, honoursOptOut } = options;
  const agentOf = remembered(
    longestAgent,
    (agent): KnownAgent => ({
      classIndex: indexOfClass[classOfAgent(agent)],
      agent: readAgent(agent),
      digest: digestOf(agent),
    }),
  );
  const referrerOf = remembered(longestReferer, createReadReferrer(ownHosts));
  const languageOf = remembered(longestLanguage, readLanguage);
  const campaignOf = remembered(longestQuery, readCampaign);

  return (visit) => {
    const { classIndex, agent, digest } = agentOf(visit.agent);
    const { referrer, referrerKind } = referrerOf(visit.referer);
    const { trigger, utmSource, utmMedium, utmCampaign, utmTerm, utmContent } = campaignOf(visit.query);
    const { country, region, network } = withProxyCountry(visit.country, placeOf(visit.address));
    const today = visit.address === '' || (visit.optsOut && honoursOptOut) ? undefined : salt();
    return {
      class: visit.prefetch ? indexOfClass.prefetch : classIndex,
      trigger,
      country,
      region,
      browser: agent.browser,
      os: agent.os,
      device: agent.device,
      language: languageOf(visit.language),
      referrer,
      referrerKind,
      utmSource,
      utmMedium,
      utmCampaign,
      utmTerm,
      utmContent,
      rule: '',
      variant: '',
      network,
      utmFrom: '',
      domain: visit.domain,
      imported: '',
      visitor: today === undefined ? 0 : visitorOf(today, digest, visit.address),
    };
  };
}
